package dev.leakline.testkit.snapshot;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.GZIPOutputStream;

/** The covers in which snapshots travel. */
public final class Wrapping {
    private static final int BASE64_GROUP = 3;

    private Wrapping() {}

    /** The file, gzipped. */
    public static byte[] gzip(byte[] file) {
        ByteArrayOutputStream wrapped = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(wrapped)) {
            gzip.write(file);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return wrapped.toByteArray();
    }

    /**
     * A page as {@code python _memory_viz.py trace_plot} makes it: the pickle in base64, followed by one to three NUL bytes,
     * as an object of a list that a script assigns.
     */
    public static byte[] memoryVizPage(byte[] pickle) {
        byte[] padded = Arrays.copyOf(pickle, pickle.length + BASE64_GROUP - pickle.length % BASE64_GROUP);
        String page = """
                <!DOCTYPE html>
                <html>
                <head>
                </head>
                <body>
                <script type="module">
                import {add_local_files} from "./MemoryViz.js"
                const local_files = [{"name": "snapshot.pickle", "base64": "%s"}]
                add_local_files(local_files, 'Active Memory Timeline')
                </script>
                </body>
                </html>
                """.formatted(Base64.getEncoder().encodeToString(padded));
        return page.getBytes(StandardCharsets.US_ASCII);
    }
}
