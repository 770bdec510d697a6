package dev.leakline.text;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** Text files of data that are packed beside the class that reads them, in UTF-8. */
public final class DataFile {
    private DataFile() {}

    /** The whole text of the file of that name beside the class; without it, the program is not whole. */
    public static String read(Class<?> beside, String name) {
        try (InputStream file = Objects.requireNonNull(beside.getResourceAsStream(name), name)) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
