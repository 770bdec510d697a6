package dev.leakline.cli.common;

import dev.leakline.Analysis.Illustrated;
import dev.leakline.attach.PrivateFiles;
import dev.leakline.codec.Codec;
import dev.leakline.report.TextReport;
import dev.leakline.report.terminal.Style;
import dev.leakline.result.AnalysisResult;
import dev.leakline.text.Printable;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.OptionSpec;

/** The file that {@code --report} names, written in the form that its name ends in. */
public final class ReportFile {
    private static final int COLUMNS = 120;

    private final Path path;
    private final @Nullable HtmlFile page;
    private final boolean isJson;

    private ReportFile(Path path, @Nullable HtmlFile page, boolean isJson) {
        this.path = path;
        this.page = page;
        this.isJson = isJson;
    }

    /** The file that a user means; throws {@link IllegalArgumentException} where it can be told at once that it cannot be written. */
    private static ReportFile of(String name) {
        Path path = InputFiles.path(name);
        String end = name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
        if (!List.of("json", "html", "htm", "txt").contains(end)) {
            throw new IllegalArgumentException(
                    "--report " + name + ": expected a name that ends in .json, .html or .txt");
        }
        Path folder = path.toAbsolutePath().getParent();
        if (Files.isDirectory(path) || folder == null || !Files.isDirectory(folder)) {
            throw new IllegalArgumentException("--report " + name + ": "
                    + (Files.isDirectory(path) ? "it is a folder" : "no such folder: " + folder));
        }
        return new ReportFile(path, end.startsWith("htm") ? HtmlFile.of(name, List.of()) : null, end.equals("json"));
    }

    /** The file that an option names, null where it names none. */
    public static @Nullable ReportFile of(OptionSpec option) {
        String name = option.getValue();
        return name == null ? null : of(name);
    }

    /** Returns whether pictures are wanted. */
    public boolean isPage() {
        return page != null;
    }

    /** Writes a report; {@code top} lines of code are shown. */
    public void write(Illustrated report, @Nullable Integer top) throws IOException {
        if (page != null) {
            page.write(report);
            return;
        }
        PrivateFiles.write(PrivateFiles.target(path), to -> {
            PrintWriter out = new PrintWriter(new OutputStreamWriter(to, StandardCharsets.UTF_8));
            write(report.result(), top, out);
            if (out.checkError()) {
                throw new IOException(path + " cannot be written");
            }
        });
        Terminal.err().println("leakline: wrote " + Printable.of(path.toString()));
    }

    private void write(AnalysisResult result, @Nullable Integer top, PrintWriter out) {
        if (isJson) {
            Codec.write(result.shown(top == null ? Integer.MAX_VALUE : top, false), out);
            return;
        }
        TextReport.Options options = new TextReport.Options(top == null ? ReportOptions.LINES : top, false, false);
        out.print(TextReport.of(result, options, new Style(COLUMNS, false, true)));
    }
}
