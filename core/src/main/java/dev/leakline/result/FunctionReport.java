package dev.leakline.result;

/**
 * What the calls of profiled functions say.
 *
 * @param calls how many there were
 */
public record FunctionReport(int calls) {}
