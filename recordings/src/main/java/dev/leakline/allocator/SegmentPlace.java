package dev.leakline.allocator;

/**
 * A stretch of device memory that an allocator holds.
 *
 * @param address where it begins
 * @param size bytes
 * @param stream the stream whose requests it serves
 * @param pool the memory pool's number, 0 for the default pool
 * @param isLarge whether it serves requests of more than 1 MiB
 * @param isExpandable whether its pages were mapped one by one
 */
public record SegmentPlace(long address, long size, long stream, int pool, boolean isLarge, boolean isExpandable) {}
