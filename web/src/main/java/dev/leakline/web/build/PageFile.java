package dev.leakline.web.build;

import com.github.luben.zstd.ZstdCompressCtx;
import dev.leakline.report.diff.DiffPage;
import dev.leakline.report.html.HtmlReport;
import dev.leakline.report.html.RanksPage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The page that reads recordings, as one file: script, style, the worker's script, the program and a sample are in it.
 *
 * <p>The policy: the script and the style that stand here, and those of the pages that it shows, by their hashes; no connection of any kind.
 * {@code unsafe-eval} is asked for by TeaVM's runtime, which makes the functions that join WebAssembly to JavaScript of texts that stand in
 * the program; it lets no text of a file run.
 */
final class PageFile {
    private static final String RUNTIME = "org/teavm/backend/wasm/wasm-gc-runtime.min.js";

    /** ASCII but for what ends a script, and what browsers read as something else. */
    private static final String ALPHABET = IntStream.range(0, 128)
            .filter(character -> "\0\r<".indexOf(character) < 0)
            .mapToObj(Character::toString)
            .collect(Collectors.joining());

    private static final int GROUP = 6;
    private static final int LEVEL = 19;
    /** The power of two of the bytes that are looked back at: all of the program. */
    private static final int WINDOW = 23;

    private final Path parts;
    private final List<Path> samples;

    /**
     * A page to be.
     *
     * @param parts the folder of its scripts and its style
     * @param samples the files of the case that it offers as an example
     */
    PageFile(Path parts, List<Path> samples) {
        this.parts = parts;
        this.samples = samples;
    }

    /** Writes the page with a program in WebAssembly, or in JavaScript. */
    void write(Path program, boolean isScript, Path page) throws IOException {
        String script = part("main.js");
        String style = part("drop.css");
        HtmlReport.Bundle report = HtmlReport.Bundle.shipped();
        String policy = "default-src 'none'; connect-src 'none'; script-src "
                + hashes(script, report.script())
                + " 'wasm-unsafe-eval' 'unsafe-eval'; worker-src blob:; style-src "
                + hashes(style, report.style(), DiffPage.STYLE, RanksPage.STYLE)
                + "; img-src data:; base-uri 'none'; form-action 'none'";
        String worker = (isScript ? Files.readString(program) : runtime()) + "\n" + part("worker.js");
        Files.writeString(page, """
                <!doctype html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <meta http-equiv="Content-Security-Policy" content="%s">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <title>Leakline</title>
                <style>%s</style>
                </head>
                <body>
                <div id="leakline"><noscript>This page is a program in JavaScript, which is switched off here.</noscript></div>
                <script type="text/plain" id="worker">%s</script>
                <script type="text/plain" id="module">%s</script>
                %s<script>%s</script>
                </body>
                </html>
                """.formatted(
                        policy,
                        style,
                        inElement(worker),
                        isScript ? "" : asText(compressed(Files.readAllBytes(program))),
                        embedded(samples),
                        inElement(script)));
    }

    private static String embedded(List<Path> samples) throws IOException {
        StringBuilder elements = new StringBuilder();
        for (Path file : samples) {
            elements.append("<script type=\"text/plain\" class=\"sample\" data-name=\"")
                    .append(file.getFileName())
                    .append("\">")
                    .append(asText(Files.readAllBytes(file)))
                    .append("</script>\n");
        }
        return elements.toString();
    }

    private String part(String name) throws IOException {
        return Files.readString(parts.resolve(name));
    }

    private static String runtime() throws IOException {
        try (InputStream stream = PageFile.class.getClassLoader().getResourceAsStream(RUNTIME)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static String hashes(String... contents) {
        return Stream.of(contents).map(PageFile::hash).collect(Collectors.joining(" "));
    }

    private static String hash(String content) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(content.getBytes(StandardCharsets.UTF_8));
            return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    private static String inElement(String script) {
        String lower = script.toLowerCase(Locale.ROOT);
        if (lower.contains("</script") || lower.contains("<!--")) {
            throw new IllegalArgumentException("a script that would end the element that it is in");
        }
        return script;
    }

    /** A program in a fifth less than gzip takes; the page brings what reads it. */
    private static byte[] compressed(byte[] bytes) {
        try (ZstdCompressCtx compressor = new ZstdCompressCtx()) {
            return compressor.setLevel(LEVEL).setLong(WINDOW).compress(bytes);
        }
    }

    /** Bytes as text of all characters of ASCII that a script in a page keeps as they are: seven for each six bytes. */
    private static String asText(byte[] bytes) {
        StringBuilder text = new StringBuilder(bytes.length / GROUP * (GROUP + 1) + GROUP + 1);
        for (int at = 0; at < bytes.length; at += GROUP) {
            int count = Math.min(GROUP, bytes.length - at);
            long value = 0;
            for (int i = 0; i < GROUP; i++) {
                value = (value << Byte.SIZE) | (i < count ? bytes[at + i] & 0xff : 0);
            }
            char[] digits = new char[GROUP + 1];
            for (int i = GROUP; i >= 0; i--, value /= ALPHABET.length()) {
                digits[i] = ALPHABET.charAt((int) (value % ALPHABET.length()));
            }
            text.append(digits, 0, count + 1);
        }
        return text.toString();
    }
}
