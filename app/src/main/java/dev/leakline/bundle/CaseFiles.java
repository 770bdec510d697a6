package dev.leakline.bundle;

import dev.leakline.Analysis;
import dev.leakline.Analysis.Illustrated;
import dev.leakline.HolderDump;
import dev.leakline.Input;
import dev.leakline.cli.common.ReportOptions;
import dev.leakline.codec.Codec;
import dev.leakline.doctor.Doctor;
import dev.leakline.report.DoctorText;
import dev.leakline.report.ExplainText;
import dev.leakline.report.Given;
import dev.leakline.report.TextReport;
import dev.leakline.report.html.HtmlReport;
import dev.leakline.report.terminal.Style;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.DoctorReport;
import dev.leakline.source.ReadLimits;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Puts together what a ticket needs: this machine and its Python, settings, processes, the report of what is given, and the lines about memory. */
public final class CaseFiles {
    static final String REPORT = "report.json";
    private static final Style PLAIN = new Style(100, false, true);

    private final CaseBundle bundle;
    /** Names must be learned from all of them before one is scrubbed. */
    private final List<Text> texts = new ArrayList<>();

    private record Text(String name, String holds, String text) {}

    /** Fills an archive. */
    public CaseFiles(CaseBundle bundle) {
        this.bundle = bundle;
    }

    /** This machine, and what runs on it. */
    public void machine(String version, String python, String processes) {
        DoctorReport doctor = Doctor.examine(version, python);
        text("machine.txt", "versions, devices, driver, torch, limits", DoctorText.of(doctor, PLAIN));
        text("machine.json", "the same for programs", json(doctor));
        text(
                "settings.txt",
                "settings in the environment that matter for memory",
                Surroundings.settings(System.getenv()));
        text("limits.txt", "host memory and its limits", Surroundings.limits());
        text("processes.txt", "processes that hold GPU memory", processes);
    }

    /** A running process. */
    public void process(int pid) throws IOException {
        text("process-" + pid + ".txt", "command, memory and settings of process " + pid, Surroundings.process(pid));
    }

    /** The lines about memory of a file that is a text. */
    public void excerpt(int number, Path file) throws IOException {
        String excerpt = Excerpt.of(file);
        if (excerpt != null && !excerpt.isBlank()) {
            text("inputs/" + number + "-" + file.getFileName() + ".txt", "lines about memory of " + file, excerpt);
        }
    }

    private void text(String name, String holds, String text) {
        if (!text.isBlank()) {
            texts.add(new Text(name, holds, text));
        }
    }

    /** Puts all into the archive, with the report of the inputs if there are any. */
    public void finish(List<Input> inputs) throws IOException {
        boolean isAnalysed = !inputs.stream().allMatch(HolderDump.class::isInstance);
        Illustrated report = isAnalysed ? Analysis.illustrate(inputs, Analysis.Options.ALL) : null;
        String json = report == null ? "" : json(report.result());
        texts.forEach(text -> bundle.learn(text.text()));
        bundle.learn(json);
        if (report != null) {
            report(report, bundle.scrubbedJson(json));
        }
        texts.forEach(text -> bundle.add(text.name(), text.holds(), text.text()));
    }

    /** The answer, then all that a recording shows. */
    private static String text(AnalysisResult result) {
        String answer = ExplainText.of(result, Given.of(REPORT), PLAIN);
        return result.devices().isEmpty()
                ? answer
                : answer + "\n"
                        + TextReport.of(result, new TextReport.Options(ReportOptions.LINES, false, false), PLAIN);
    }

    /** Pictures are of what was read, so a page that is scrubbed has none. */
    private void report(Illustrated report, String json) throws IOException {
        AnalysisResult result =
                Codec.read(new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)), false, ReadLimits.DEFAULT);
        boolean isSame = json.equals(json(report.result()));
        bundle.addAsIs(REPORT, "the report for programs", json.getBytes(StandardCharsets.UTF_8));
        bundle.addAsIs("report.txt", "the report", text(result).getBytes(StandardCharsets.UTF_8));
        ByteArrayOutputStream page = new ByteArrayOutputStream();
        HtmlReport.write(result, isSame ? report.pictures() : List.of(), HtmlReport.Bundle.shipped(), page);
        bundle.addAsIs(
                "report.html",
                isSame ? "the report as a page" : "the report as a page, without charts",
                page.toByteArray());
    }

    private static String json(Record value) {
        StringWriter text = new StringWriter();
        Codec.write(value, text);
        return text.toString();
    }
}
