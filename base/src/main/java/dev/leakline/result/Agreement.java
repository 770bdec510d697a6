package dev.leakline.result;

/**
 * A check of whether two sources agree on the same quantity.
 *
 * @param isAgreed whether they do, as far as their rounding allows
 * @param text what was compared and what each says, in a sentence
 */
public record Agreement(boolean isAgreed, String text) {}
