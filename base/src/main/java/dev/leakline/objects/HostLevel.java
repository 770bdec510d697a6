package dev.leakline.objects;

import java.util.Map;

/**
 * Levels of a process's host memory at a moment between looks.
 *
 * @param seconds when, since the epoch
 * @param bytes by name
 */
public record HostLevel(double seconds, Map<String, Long> bytes) {}
