package dev.leakline.web.jdk.io;

import java.io.IOException;

/** {@code java.io.CharConversionException}. */
public class CharConversionException extends IOException {
    public CharConversionException() {}

    public CharConversionException(String message) {
        super(message);
    }
}
