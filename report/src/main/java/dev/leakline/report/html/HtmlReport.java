package dev.leakline.report.html;

import dev.leakline.codec.Codec;
import dev.leakline.report.TextReport;
import dev.leakline.report.terminal.Labels;
import dev.leakline.report.terminal.Style;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.Finding;
import dev.leakline.result.Picture;
import dev.leakline.text.Printable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
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
        write(result, pictures, bundle, 0, out);
    }

    /** The same with as many stretches of the pictures as make it no larger than {@code most} bytes. Says how many they are. */
    public static PageDetail write(
            AnalysisResult result, List<Picture> pictures, Bundle bundle, long most, OutputStream out)
            throws IOException {
        PageOutput page = new PageOutput(out);
        page.write(bytes(head(result, bundle) + DATA));
        writeData(result, pictures, page);
        page.write(bytes(END));
        byte[] end = bytes("<script>" + bundle.script() + END + "</body>\n</html>\n");
        PageDetail detail = new StretchElements(pictures, page, most, end.length).write();
        page.write(end);
        page.flush();
        return detail;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String head(AnalysisResult result, Bundle bundle) {
        return PageFrame.beginning(policy(bundle), result.toolVersion(), title(result), bundle.style())
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
                                PageFrame.escaped(Labels.words(result.verdict())),
                                PageFrame.escaped(Printable.of(result.reason(), LONGEST)),
                                PageFrame.escaped(TextReport.of(result, TEXT, WIDE)));
    }

    /** The page's permissions: run this script, use this style, show images that it makes itself. */
    private static String policy(Bundle bundle) {
        return "default-src 'none'; script-src '" + PageFrame.hash(bundle.script()) + "'; style-src '"
                + PageFrame.hash(bundle.style()) + "'; img-src data:; base-uri 'none'; form-action 'none'";
    }

    private static String title(AnalysisResult result) {
        String where = result.findings().stream()
                .findFirst()
                .map(Finding::site)
                .map(site -> " at " + site.brief())
                .orElse("");
        return "Leakline: " + Labels.words(result.verdict()) + where;
    }

    private static void writeData(AnalysisResult result, List<Picture> pictures, PageOutput out) throws IOException {
        OutputStream base64 = Base64.getEncoder().wrap(out);
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
}
