package dev.leakline.result;

/** A line of text for people, and its label, such as {@code held}. */
public record Line(String label, String text) {}
