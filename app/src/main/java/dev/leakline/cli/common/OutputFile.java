package dev.leakline.cli.common;

import dev.leakline.attach.PrivateFiles;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Printable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.util.List;

/**
 * A file that an option names for output. It is written beside its place and moved there when it is whole, so that nobody ever sees half of
 * it, and what was there before stays until then.
 */
public final class OutputFile {
    private final String option;
    private final Path path;
    private final Path place;

    private OutputFile(String option, Path path, Path place) {
        this.option = option;
        this.path = path;
        this.place = place;
    }

    /**
     * The file that a user means; throws {@link IllegalArgumentException} where nothing should be written. It never takes the place of a
     * folder, of a device, or of one of the {@code inputs}.
     */
    public static OutputFile of(String option, String name, List<String> inputs) {
        Path path = InputFiles.path(name);
        if (Files.isDirectory(path)) {
            throw refusal(option, name, "it is a folder; name a file in it");
        }
        if (Files.exists(path) && !Files.isRegularFile(path)) {
            throw refusal(option, name, "it exists and is not a regular file");
        }
        Path folder = path.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            throw refusal(option, name, "no such folder: " + folder);
        }
        if (inputs.stream().anyMatch(input -> isSame(InputFiles.path(input), path))) {
            throw refusal(option, name, "it is also an input");
        }
        try {
            return new OutputFile(option, path, PrivateFiles.target(path));
        } catch (IOException e) {
            throw refusal(option, name, String.valueOf(e.getMessage()));
        }
    }

    static IllegalArgumentException refusal(String option, String name, String why) {
        return new IllegalArgumentException(option + " " + name + ": " + why);
    }

    private static boolean isSame(Path input, Path output) {
        try {
            return Files.exists(output) && Files.exists(input) && Files.isSameFile(input, output);
        } catch (IOException e) {
            return false;
        }
    }

    /** Writes the file, readable as {@code attributes} or the umask say, and says on stderr where it is. */
    public void write(PrivateFiles.Content content, FileAttribute<?>... attributes) {
        try {
            PrivateFiles.write(place, content, attributes);
            String size = ByteSize.format(Files.size(path));
            Terminal.err().println("leakline: wrote " + Printable.of(path.toString()) + ", " + size);
        } catch (IOException e) {
            throw unwritten(option, path, e);
        } catch (RuntimeException e) {
            IOException cause = Failures.cause(e);
            throw cause == null ? e : unwritten(option, path, cause);
        }
    }

    /** The error of an output of an option that could not be written. */
    public static UncheckedIOException unwritten(String option, Path path, IOException failure) {
        return new UncheckedIOException(
                new IOException(option + " " + path + ": write error: " + reason(failure), failure));
    }

    private static String reason(IOException failure) {
        return switch (failure) {
            case AccessDeniedException _ -> "permission denied";
            case NoSuchFileException _ -> "no file can be made in its folder";
            default -> Failures.reason(failure);
        };
    }
}
