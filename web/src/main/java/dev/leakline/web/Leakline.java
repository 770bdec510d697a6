package dev.leakline.web;

import dev.leakline.Analysis;
import dev.leakline.Analysis.Illustrated;
import dev.leakline.HolderDump;
import dev.leakline.Input;
import dev.leakline.Input.Demand;
import dev.leakline.InputSource;
import dev.leakline.Ranks;
import dev.leakline.Report;
import dev.leakline.Snapshot;
import dev.leakline.Sources;
import dev.leakline.codec.Codec;
import dev.leakline.compare.Comparer;
import dev.leakline.lint.Configuration;
import dev.leakline.lint.Lint;
import dev.leakline.lint.LintResult;
import dev.leakline.lint.output.LintJson;
import dev.leakline.lint.output.LintText;
import dev.leakline.report.HoldersText;
import dev.leakline.report.RanksText;
import dev.leakline.report.TextReport;
import dev.leakline.report.diff.DiffPage;
import dev.leakline.report.diff.DiffReport;
import dev.leakline.report.html.HtmlReport;
import dev.leakline.report.html.RanksPage;
import dev.leakline.report.terminal.Style;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.Comparison;
import dev.leakline.result.Comparison.Side;
import dev.leakline.result.DiffDocument;
import dev.leakline.result.Holders;
import dev.leakline.result.JobComparison;
import dev.leakline.result.ProcessSummary;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.teavm.jso.JSExport;

/**
 * Functions that the worker of the page calls: the files of a case are added one by one, then judged or compared; what comes of it is asked for as text
 * and as a page. Whatever is no mistake of a file is thrown.
 */
public final class Leakline {
    /** Groups of a dump, and lines of a peak, that a text tells of. */
    private static final int TOP = 20;

    /** The most bytes read of a source file: no program that people write has more. */
    private static final int MOST_SOURCE = 4 << 20;
    /** The files of sources are in the memory of the page, as all files are that this program opens by a path. */
    private static final Path FOLDER = Path.of("./");

    private static final List<Input> INPUTS = new ArrayList<>();
    private static final List<String> NAMES = new ArrayList<>();
    private static final SortedMap<String, byte[]> SOURCES = new TreeMap<>();
    private static Answer answer = new Answer(_ -> "", () -> "");

    /** Forms of an answer, made when they are asked for. */
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

    /** Adds a file, or a text that may be about anything; answers why it could not be read, or nothing. */
    @JSExport
    public static String add(String name, BlobInput.Blob blob, boolean isAnything) {
        try {
            if (name.endsWith(".py")) {
                SOURCES.put(name, new BlobInput(blob).readNBytes(MOST_SOURCE));
                return "";
            }
            Input input = Input.open(
                    InputSource.of(name, () -> new BlobInput(blob)), isAnything ? Demand.ANYTHING : Demand.EVIDENCE);
            INPUTS.add(input);
            NAMES.add(name);
            String incomplete = input.incomplete();
            return incomplete == null ? "" : incomplete + "; reporting on the part before";
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
    }

    /** Judges what was added; the report as JSON, or nothing where no file could be read. */
    @JSExport
    public static String judge() throws IOException {
        if (INPUTS.isEmpty()) {
            return SOURCES.isEmpty() ? "" : lint();
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
    public static String compare() throws IOException {
        Comparison comparison = Comparer.compare(side(0), side(1));
        answer = new Answer(style -> DiffReport.of(comparison, TOP, style), () -> {
            StringWriter page = new StringWriter();
            DiffPage.write(comparison, DiffPage.LINES, page);
            return page.toString();
        });
        return json(DiffDocument.of(comparison, Integer.MAX_VALUE));
    }

    private static String lint() {
        LintResult result = Lint.run(SOURCES, Configuration.STANDARD);
        answer = new Answer(_ -> String.join("\n", LintText.of(result)) + "\n", () -> "");
        StringWriter json = new StringWriter();
        LintJson.write(result, json);
        return json.toString();
    }

    /** Compares the recordings that were added as those of the ranks of one job; the comparison as JSON. */
    @JSExport
    public static String ranks() throws IOException {
        List<ProcessSummary> processes = new ArrayList<>();
        for (int i = 0; i < INPUTS.size(); i++) {
            if (INPUTS.get(i) instanceof Snapshot snapshot) {
                processes.add(Ranks.summarize(snapshot, NAMES.get(i)));
            }
        }
        JobComparison compared = Ranks.compare(Ranks.job(processes, List.of()), 0);
        JobComparison job = compared.withFindings(sources().attach(compared.findings()));
        answer = new Answer(style -> RanksText.of(job, style), () -> {
            StringWriter page = new StringWriter();
            RanksPage.write(job, Map.of(), page);
            return page.toString();
        });
        return json(job);
    }

    private static Side side(int index) throws IOException {
        AnalysisResult result = result(List.of(INPUTS.get(index)));
        return new Side(result.inputs().getFirst().path(), result);
    }

    /** The sources, in files: a path counts where it ends like one that was dropped, or like one beneath a folder that was dropped. */
    private static Sources sources() throws IOException {
        Set<Path> folders = new LinkedHashSet<>();
        for (Map.Entry<String, byte[]> source : SOURCES.entrySet()) {
            String name = source.getKey();
            Path file = FOLDER.resolve(name);
            Path folder = file.toAbsolutePath().getParent();
            if (folder != null && !Files.isDirectory(folder)) { // which TeaVM does not ask
                Files.createDirectories(folder);
            }
            Files.write(file, source.getValue());
            folders.add(FOLDER);
            if (name.indexOf('/') > 0) {
                folders.add(FOLDER.resolve(name.substring(0, name.indexOf('/'))));
            }
        }
        return Sources.of(List.copyOf(folders));
    }

    private static Analysis.Options options() throws IOException {
        return Analysis.Options.ALL.with(sources());
    }

    private static AnalysisResult result(List<Input> inputs) throws IOException {
        return inputs.size() == 1 && inputs.getFirst() instanceof Report(AnalysisResult result)
                ? sources().attach(result)
                : Analysis.run(inputs, options());
    }

    private static String page(AnalysisResult result) throws IOException {
        Illustrated drawn = INPUTS.stream().anyMatch(Report.class::isInstance)
                ? new Illustrated(result, List.of())
                : Analysis.illustrate(INPUTS, options());
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
