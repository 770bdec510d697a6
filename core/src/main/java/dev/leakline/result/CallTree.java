package dev.leakline.result;

import java.util.List;

/**
 * Live bytes by calls: a line of the user's code, what was live beneath it, and the calls that it went through, largest first.
 * What is too small to be shown is in the parent's bytes only.
 */
public record CallTree(Site site, long bytes, int blocks, List<CallTree> calls) {}
