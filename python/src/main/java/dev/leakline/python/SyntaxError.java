package dev.leakline.python;

/** A place where a text is no Python, and why. */
public record SyntaxError(int offset, String message) {}
