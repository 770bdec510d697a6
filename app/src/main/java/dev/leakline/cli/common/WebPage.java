package dev.leakline.cli.common;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The page that reads recordings in a browser, where this installation has one. */
public final class WebPage {
    /** The property by which the launcher says where it is. */
    private static final String PROPERTY = "leakline.web";

    private WebPage() {}

    /** The file, or null where there is none. */
    public static @Nullable Path file() {
        String shipped = System.getProperty(PROPERTY);
        return shipped == null || !Files.isRegularFile(Path.of(shipped)) ? null : Path.of(shipped);
    }
}
