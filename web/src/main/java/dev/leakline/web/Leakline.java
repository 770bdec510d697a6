package dev.leakline.web;

import dev.leakline.Analysis;
import dev.leakline.Analysis.Illustrated;
import dev.leakline.HolderDump;
import dev.leakline.Input;
import dev.leakline.Report;
import dev.leakline.codec.Codec;
import dev.leakline.compare.Comparer;
import dev.leakline.report.HoldersText;
import dev.leakline.report.TextReport;
import dev.leakline.report.diff.DiffPage;
import dev.leakline.report.diff.DiffReport;
import dev.leakline.report.html.HtmlReport;
import dev.leakline.report.terminal.Style;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.Comparison;
import dev.leakline.result.Comparison.Side;
import dev.leakline.result.DiffDocument;
import dev.leakline.result.Holders;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.teavm.jso.JSExport;

/**
 * Functions that the worker of the page calls: the files of a case are added one by one, then judged or compared; what comes of it is asked for as text
 * and as a page. Whatever is no mistake of a file is thrown.
 */
public final class Leakline {
    /** Groups of a dump, and lines of a peak, that a text tells of. */
    private static final int TOP = 20;

    private static final List<Input> INPUTS = new ArrayList<>();
    private static Answer answer = new Answer(_ -> "", () -> "");

    /** What is made of an answer when it is asked for. */
    private record Answer(Text text, Page page) {}

    /** A text of so many columns. */
    private interface Text {
        String of(Style style);
    }

    /** A page, or nothing where there is none. */
    private interface Page {
        String html() throws IOException;
    }

    private Leakline() {}

    /** Adds a file; answers why it could not be read, or nothing. */
    @JSExport
    public static String add(String name, BlobInput.Blob blob) {
        try {
            Input input = Input.open(name, () -> new BlobInput(blob));
            INPUTS.add(input);
            String incomplete = input.incomplete();
            return incomplete == null ? "" : incomplete + "; reporting on the part before";
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
    }

    /** Judges what was added; the report as JSON, or nothing where no file could be read. */
    @JSExport
    public static String judge() {
        if (INPUTS.isEmpty()) {
            return "";
        }
        if (INPUTS.stream().allMatch(HolderDump.class::isInstance)) {
            Holders holders = HolderDump.explain(
                    INPUTS.stream().map(HolderDump.class::cast).toList());
            answer = new Answer(style -> HoldersText.of(holders, TOP, style), () -> "");
            return json(holders);
        }
        AnalysisResult result = result(INPUTS);
        TextReport.Options options = new TextReport.Options(TOP, false, false);
        answer = new Answer(style -> TextReport.of(result, options, style), () -> page(result));
        return json(result.shown(Integer.MAX_VALUE, false));
    }

    /** Compares the two files that were added, the earlier one first; the comparison as JSON. */
    @JSExport
    public static String compare() {
        Comparison comparison = Comparer.compare(side(0), side(1));
        answer = new Answer(style -> DiffReport.of(comparison, TOP, style), () -> {
            StringWriter page = new StringWriter();
            DiffPage.write(comparison, DiffPage.LINES, page);
            return page.toString();
        });
        return json(DiffDocument.of(comparison, Integer.MAX_VALUE));
    }

    private static Side side(int index) {
        AnalysisResult result = result(List.of(INPUTS.get(index)));
        return new Side(result.inputs().getFirst().path(), result);
    }

    private static AnalysisResult result(List<Input> inputs) {
        return inputs.size() == 1 && inputs.getFirst() instanceof Report(AnalysisResult result)
                ? result
                : Analysis.run(inputs, Analysis.Options.ALL);
    }

    private static String page(AnalysisResult result) throws IOException {
        Illustrated drawn = INPUTS.stream().anyMatch(Report.class::isInstance)
                ? new Illustrated(result, List.of())
                : Analysis.illustrate(INPUTS, Analysis.Options.ALL);
        ByteArrayOutputStream page = new ByteArrayOutputStream();
        HtmlReport.write(drawn.result(), drawn.pictures(), HtmlReport.Bundle.shipped(), page);
        return page.toString(StandardCharsets.UTF_8);
    }

    private static String json(Record result) {
        StringWriter json = new StringWriter();
        Codec.write(result, json);
        return json.toString();
    }

    /** The answer as a text of so many columns. */
    @JSExport
    public static String text(int columns) {
        return answer.text.of(new Style(columns, false, true));
    }

    /** The answer as a page of its own; nothing where there is none. */
    @JSExport
    public static String page() throws IOException {
        return answer.page.html();
    }
}
