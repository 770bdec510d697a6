package dev.leakline.result;

/**
 * Whether two sources say the same of one thing.
 *
 * @param isAgreed whether they do, as far as their rounding allows
 * @param text what was compared and what each says, in a sentence
 */
public record Agreement(boolean isAgreed, String text) {}
