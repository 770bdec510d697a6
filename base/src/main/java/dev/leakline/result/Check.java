package dev.leakline.result;

/**
 * A detector's account of itself.
 *
 * @param detector its name
 * @param isApplicable whether the recording could answer its question
 * @param note what it looked at, or what recording it would need
 */
public record Check(String detector, boolean isApplicable, String note) {}
