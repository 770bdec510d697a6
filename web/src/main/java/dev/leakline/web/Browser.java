package dev.leakline.web;

import org.teavm.jso.JSBody;

/** Functions that the browser does better. */
public final class Browser {
    private Browser() {}

    /** A text in a normal form of Unicode, such as {@code NFKC}. */
    @JSBody(
            params = {"text", "form"},
            script = "return text.normalize(form);")
    public static native String normalized(String text, String form);
}
