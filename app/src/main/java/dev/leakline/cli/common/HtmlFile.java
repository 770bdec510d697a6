package dev.leakline.cli.common;

import dev.leakline.Analysis.Illustrated;
import dev.leakline.attach.PrivateFiles;
import dev.leakline.report.html.HtmlReport;
import dev.leakline.report.html.HtmlReport.Bundle;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Printable;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The file that {@code --html} names. It is written beside its place and moved there when it is whole, so that nobody ever sees half of
 * it, and what was there before stays until then.
 */
public final class HtmlFile {
    private static final Pattern PAGE = Pattern.compile("(?i)\\.html?$");

    private final Path path;
    private final Path place;

    private HtmlFile(Path path, Path place) {
        this.path = path;
        this.place = place;
    }

    /**
     * The file that a user means; throws {@link IllegalArgumentException} where nothing should be written. A page never takes the place
     * of something else: of a file by another kind of name, such as a snapshot, of a device, or of one of the {@code inputs}.
     */
    public static HtmlFile of(String name, List<String> inputs) {
        Path path = InputFiles.path(name);
        if (!PAGE.matcher(name).find()) {
            throw refusal(name, "the file name must end in .html");
        }
        if (Files.exists(path) && !Files.isRegularFile(path)) {
            throw refusal(name, "it exists and is not a regular file");
        }
        Path folder = path.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            throw refusal(name, "no such folder: " + folder);
        }
        if (inputs.stream().anyMatch(input -> isSame(InputFiles.path(input), path))) {
            throw refusal(name, "it is also an input");
        }
        try {
            return new HtmlFile(path, PrivateFiles.target(path));
        } catch (IOException e) {
            throw refusal(name, String.valueOf(e.getMessage()));
        }
    }

    private static IllegalArgumentException refusal(String name, String why) {
        return new IllegalArgumentException("--html " + name + ": " + why);
    }

    private static boolean isSame(Path input, Path output) {
        try {
            return Files.exists(output) && Files.exists(input) && Files.isSameFile(input, output);
        } catch (IOException e) {
            return false;
        }
    }

    /** Writes the page, readable as {@code attributes} or the umask say, and says on stderr where it is. */
    public void write(Illustrated illustrated, FileAttribute<?>... attributes) {
        try {
            Bundle bundle = Bundle.shipped();
            PrivateFiles.write(
                    place,
                    out -> HtmlReport.write(illustrated.result(), illustrated.pictures(), bundle, out),
                    attributes);
            String size = ByteSize.format(Files.size(path));
            Terminal.err().println("leakline: wrote " + Printable.of(path.toString()) + ", " + size);
        } catch (IOException e) {
            throw new IllegalArgumentException("--html " + path + ": write error: " + reason(e), e);
        }
    }

    private static String reason(IOException failure) {
        return switch (failure) {
            case AccessDeniedException _ -> "permission denied";
            case NoSuchFileException _ -> "its folder was removed";
            default -> String.valueOf(failure.getMessage());
        };
    }
}
