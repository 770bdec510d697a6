package dev.leakline.web.build;

import dev.leakline.report.diff.DiffPage;
import dev.leakline.report.html.HtmlReport;
import dev.leakline.report.html.RanksPage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

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

    /** Bytes that are one number, and its digits: of small groups these come closest to what an alphabet of 125 can hold. */
    private static final int GROUP = 20;

    private static final int DIGITS = 23;

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
                        isScript ? "" : asText(zipped(Files.readAllBytes(program))),
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

    private static byte[] zipped(byte[] bytes) {
        ByteArrayOutputStream zipped = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(zipped) {
            {
                def.setLevel(Deflater.BEST_COMPRESSION);
            }
        }) {
            out.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return zipped.toByteArray();
    }

    /** Bytes as text of all characters of ASCII that a script in a page keeps as they are: 23 for each 20 bytes, and three more than bytes at the end. */
    private static String asText(byte[] bytes) {
        StringBuilder text = new StringBuilder(bytes.length / GROUP * DIGITS + DIGITS);
        BigInteger base = BigInteger.valueOf(ALPHABET.length());
        for (int at = 0; at < bytes.length; at += GROUP) {
            BigInteger value = new BigInteger(1, Arrays.copyOfRange(bytes, at, at + GROUP));
            char[] digits = new char[DIGITS];
            for (int i = DIGITS - 1; i >= 0; i--, value = value.divide(base)) {
                digits[i] = ALPHABET.charAt(value.mod(base).intValue());
            }
            text.append(digits, 0, Math.min(GROUP, bytes.length - at) + DIGITS - GROUP);
        }
        return text.toString();
    }
}
