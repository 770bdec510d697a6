package dev.leakline.web.jdk.text;

import dev.leakline.web.Browser;

/** {@code java.text.Normalizer}, as far as it is used: the browser's own. */
public final class Normalizer {
    /** {@code java.text.Normalizer.Form}. */
    public enum Form {
        NFC,
        NFKC
    }

    private Normalizer() {}

    public static String normalize(CharSequence text, Form form) {
        return Browser.normalized(text.toString(), form.name());
    }
}
