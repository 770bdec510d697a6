package dev.leakline.report.html;

import dev.leakline.codec.Codec;
import dev.leakline.report.TextReport;
import dev.leakline.report.terminal.Style;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.Finding;
import dev.leakline.result.Picture;
import dev.leakline.text.Printable;
import java.io.BufferedWriter;
import java.io.FileNotFoundException;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * A result as one HTML file that needs no network: script and style are in it, and the data, schema {@code leakline.page/1}, as base64 of
 * gzip of JSON.
 *
 * <p>Nothing in a snapshot can become part of the page: base64 has no {@code <}, the few words outside of the data are escaped, and the
 * page's security policy runs no script but the one whose hash it names, and loads nothing. Without scripts the page shows the report as
 * text.
 */
public final class HtmlReport {
    /** The schema of the data in the page. */
    public static final String SCHEMA = "leakline.page/1";

    /** Lines of code that the report in a page lists for a peak. */
    private static final int SITES = 500;
    /** Characters of a string; whatever is longer was not made by people. */
    private static final int LONGEST = 1000;

    private static final TextReport.Options TEXT = new TextReport.Options(30, false, false);
    private static final Style WIDE = new Style(110, false, true);

    private static final String DATA = "<script type=\"application/octet-stream+base64\" id=\"leakline-data\">";
    private static final String END = "</script>\n";

    /**
     * The script and style that draw the page.
     *
     * @param script JavaScript without imports
     * @param style CSS without imports
     */
    public record Bundle(String script, String style) {
        private static final String SHIPPED = "/dev/leakline/web/report";

        public Bundle {
            refuse(script, "</script", "<!--");
            refuse(style, "</style");
        }

        /** The bundle of this build. */
        public static Bundle shipped() throws IOException {
            return new Bundle(resource(SHIPPED + ".js"), resource(SHIPPED + ".css"));
        }

        private static String resource(String name) throws IOException {
            try (InputStream stream = HtmlReport.class.getResourceAsStream(name)) {
                if (stream == null) {
                    throw new FileNotFoundException("this build of leakline has no " + name);
                }
                return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
            }
        }

        private static void refuse(String content, String... ends) {
            for (String end : ends) {
                if (content.toLowerCase(Locale.ROOT).contains(end)) {
                    throw new IllegalArgumentException("'" + end + "' would end the element that the bundle is in");
                }
            }
        }
    }

    private HtmlReport() {}

    /** Writes a page and flushes, but does not close; {@code pictures} are those of the result's devices, in their order. */
    public static void write(AnalysisResult result, List<Picture> pictures, Bundle bundle, OutputStream out)
            throws IOException {
        Writer page = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
        page.write(head(result, bundle));
        page.write(DATA);
        page.flush();
        writeData(result, pictures, out);
        page.write(END + "<script>" + bundle.script() + END + "</body>\n</html>\n");
        page.flush();
    }

    private static String head(AnalysisResult result, Bundle bundle) {
        return beginning(policy(bundle), result.toolVersion(), title(result), bundle.style())
                + """
                <div id="leakline">
                <h1>%s</h1>
                <p>%s</p>
                </div>
                <noscript>
                <p>Charts need JavaScript, which is switched off here. This is the report as text.</p>
                <pre>%s</pre>
                </noscript>
                """.formatted(
                                escaped(result.headline()),
                                escaped(Printable.of(result.reason(), LONGEST)),
                                escaped(TextReport.of(result, TEXT, WIDE)));
    }

    /** The beginning of a page, up to its body; {@code policy} says what it may load and run. */
    static String beginning(String policy, String version, String title, String style) {
        return """
                <!doctype html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <meta http-equiv="Content-Security-Policy" content="%s">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <meta name="generator" content="leakline %s">
                <title>%s</title>
                <style>%s</style>
                </head>
                <body>
                """.formatted(policy, escaped(version), escaped(title), style);
    }

    /** What the page may do: run this script, use this style, show images that it makes itself. */
    private static String policy(Bundle bundle) {
        return "default-src 'none'; script-src '" + hash(bundle.script()) + "'; style-src '" + hash(bundle.style())
                + "'; img-src data:; base-uri 'none'; form-action 'none'";
    }

    private static String title(AnalysisResult result) {
        String where = result.findings().stream()
                .findFirst()
                .map(Finding::site)
                .map(site -> " at " + site.brief())
                .orElse("");
        return Printable.of("Leakline: " + result.headline() + where, 200);
    }

    private static void writeData(AnalysisResult result, List<Picture> pictures, OutputStream out) throws IOException {
        OutputStream base64 = Base64.getEncoder().wrap(new Unclosed(out));
        Writer text = new OutputStreamWriter(new GZIPOutputStream(base64, 1 << 16), StandardCharsets.UTF_8);
        try (text;
                JsonGenerator json = new JsonFactory().createGenerator(ObjectWriteContext.empty(), text)) {
            PictureJson drawer = new PictureJson(json, result, LONGEST);
            json.writeStartObject();
            json.writeStringProperty("schema", SCHEMA);
            json.writeName("report");
            Codec.write(result.shown(SITES, true), json, LONGEST);
            json.writeArrayPropertyStart("pictures");
            for (int i = 0; i < pictures.size(); i++) {
                drawer.picture(result.devices().get(i), pictures.get(i));
            }
            json.writeEndArray();
            json.writeEndObject();
        }
    }

    /** What a security policy calls a script or style by. */
    static String hash(String content) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(content.getBytes(StandardCharsets.UTF_8));
            return "sha256-" + Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java has SHA-256", e);
        }
    }

    /** Text that no browser takes for markup. */
    static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    /** Lets whoever owns the stream close it. */
    private static final class Unclosed extends FilterOutputStream {
        Unclosed(OutputStream out) {
            super(out);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            out.write(bytes, offset, length);
        }

        @Override
        public void close() throws IOException {
            flush();
        }
    }
}
