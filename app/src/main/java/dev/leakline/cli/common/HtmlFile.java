package dev.leakline.cli.common;

import dev.leakline.Analysis.Illustrated;
import dev.leakline.attach.PrivateFiles;
import dev.leakline.report.html.HtmlReport;
import dev.leakline.report.html.HtmlReport.Bundle;
import java.nio.file.attribute.FileAttribute;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.OptionSpec;

/** The file that {@code --html} names. */
public final class HtmlFile {
    private static final Pattern PAGE = Pattern.compile("(?i)\\.html?$");

    private static final String OPTION = "--html";

    private final OutputFile file;

    private HtmlFile(OutputFile file) {
        this.file = file;
    }

    /** The option that names it; {@code description} says of what the page is. */
    public static OptionSpec option(String description) {
        return OptionSpec.builder(OPTION)
                .type(String.class)
                .paramLabel("OUT.html")
                .description(description)
                .build();
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
        return new HtmlFile(OutputFile.of(OPTION, name, inputs));
    }

    /** Writes the page of a report, readable as {@code attributes} or the umask say, and says on stderr where it is. */
    public void write(Illustrated illustrated, FileAttribute<?>... attributes) {
        write(out -> HtmlReport.write(illustrated.result(), illustrated.pictures(), Bundle.shipped(), out), attributes);
    }

    /** Writes any page, and says on stderr where it is. */
    public void write(PrivateFiles.Content page, FileAttribute<?>... attributes) {
        file.write(page, attributes);
    }
}
