package dev.leakline.attach;

/**
 * The totals of the calls of one profiled function, in bytes. Where they used several devices, the figures are of the one with the highest
 * peak.
 *
 * @param name its name, as anybody may have written it
 * @param calls how often it was called
 * @param raised how many calls ended with an error
 * @param longest seconds of the longest call
 * @param peak the most that was allocated during a call
 * @param most the most that a call took beyond what was allocated before it
 * @param kept what stayed allocated after all calls, negative where they gave back more than they took
 */
public record ProfiledFunction(String name, long calls, long raised, double longest, long peak, long most, long kept) {}
