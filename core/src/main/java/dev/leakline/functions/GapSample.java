package dev.leakline.functions;

/**
 * What a tracker measured of a device at one moment. Sizes in bytes.
 *
 * @param micros the time
 * @param allocated in live tensors
 * @param reserved by the allocator from the driver
 * @param used on the device, by all
 * @param total what the device has
 */
public record GapSample(double micros, long allocated, long reserved, long used, long total) {
    /** What is used on the device and not by the allocator. */
    public long gap() {
        return used - reserved;
    }
}
