package dev.leakline.result;

/**
 * One figure over time or steps.
 *
 * @param input the index of the input it comes from
 * @param points how many measurements there are
 */
public record MeasuredSeries(int input, int points) {}
