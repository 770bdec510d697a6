package dev.leakline.cli.common;

import dev.leakline.Analysis;
import dev.leakline.Analysis.Illustrated;
import dev.leakline.Analysis.Options;
import dev.leakline.Input;
import dev.leakline.attach.PrivateFiles;
import dev.leakline.report.html.HtmlReport;
import dev.leakline.report.html.HtmlReport.Bundle;
import dev.leakline.report.html.PageDetail;
import java.nio.file.attribute.FileAttribute;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.OptionSpec;

/** The file that {@code --html} names. */
public final class HtmlFile {
    private static final Pattern PAGE = Pattern.compile("(?i)\\.html?$");

    private static final String OPTION = "--html";

    private final OutputFile file;
    /** Bytes that a page in detail may have, 0 for a page without. */
    private final long most;

    private HtmlFile(OutputFile file, long most) {
        this.file = file;
        this.most = most;
    }

    /** The option that names it; {@code description} says of what the page is. */
    public static OptionSpec option(String description) {
        return OptionSpec.builder(OPTION)
                .type(String.class)
                .paramLabel("OUT.html")
                .description(description)
                .build();
    }

    /** The option that says how large the page may become for the sake of single blocks. */
    public static OptionSpec detailOption() {
        return OptionSpec.builder("--detail")
                .type(Long.class)
                .converters(new ReportOptions.SizeConverter())
                .paramLabel("SIZE")
                .description(
                        "Largest size of the page (20MiB): a larger one shows single blocks in more places of a long"
                                + " recording.")
                .build();
    }

    /** The file that the option names, with the size that {@code detail} allows; null where it names none. */
    public static @Nullable HtmlFile of(OptionSpec option, OptionSpec detail, List<String> inputs) {
        HtmlFile plain = of(option, inputs);
        Long most = detail.getValue();
        if (plain == null && most != null) {
            throw new IllegalArgumentException("--detail is about the page; add " + OPTION + " OUT.html");
        }
        return plain == null || most == null ? plain : new HtmlFile(plain.file, most);
    }

    /** The file that the option names, null where it names none; throws {@link IllegalArgumentException} as {@link #of(String, List)}. */
    public static @Nullable HtmlFile of(OptionSpec option, List<String> inputs) {
        String name = option.getValue();
        return name == null ? null : of(name, inputs);
    }

    /**
     * The file that a user means; throws {@link IllegalArgumentException} where nothing should be written. A page never takes the place
     * of something else, such as a snapshot, which has another kind of name.
     */
    public static HtmlFile of(String name, List<String> inputs) {
        if (!PAGE.matcher(name).find()) {
            throw OutputFile.refusal(OPTION, name, "the file name must end in .html");
        }
        return new HtmlFile(OutputFile.of(OPTION, name, inputs), 0);
    }

    /** Analyses inputs as the page needs it. */
    public Illustrated illustrate(List<? extends Input> inputs, Options options) {
        return most > 0 ? Analysis.illustrateInDetail(inputs, options) : Analysis.illustrate(inputs, options);
    }

    /** Writes the page of a report, readable as {@code attributes} or the umask say, and says on stderr where it is. */
    public void write(Illustrated illustrated, FileAttribute<?>... attributes) {
        List<PageDetail> written = new ArrayList<>();
        write(
                out -> written.add(
                        HtmlReport.write(illustrated.result(), illustrated.pictures(), Bundle.shipped(), most, out)),
                attributes);
        if (most > 0) {
            written.forEach(detail -> Terminal.err().println("leakline: " + detail.sentence()));
        }
    }

    /** Writes any page, and says on stderr where it is. */
    public void write(PrivateFiles.Content page, FileAttribute<?>... attributes) {
        file.write(page, attributes);
    }
}
