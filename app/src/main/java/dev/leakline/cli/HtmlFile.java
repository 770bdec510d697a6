package dev.leakline.cli;

import dev.leakline.Analysis.Illustrated;
import dev.leakline.primitive.ByteSize;
import dev.leakline.primitive.Printable;
import dev.leakline.report.HtmlReport;
import dev.leakline.report.HtmlReport.Bundle;
import java.io.BufferedOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * The file that {@code --html} names. It is written beside its place and moved there when it is whole, so that nobody ever sees half of
 * it, and what was there before stays until then.
 */
final class HtmlFile {
    private static final String BUNDLE = "/dev/leakline/web/report";

    private final Path path;

    private HtmlFile(Path path) {
        this.path = path;
    }

    /** The file that a user means; throws {@link IllegalArgumentException} where it can be seen that nothing can be written there. */
    static HtmlFile of(String name) {
        Path path = SnapshotFiles.path(name);
        if (name.isEmpty() || name.equals("-")) {
            throw new IllegalArgumentException("--html writes a file; give its name, such as report.html");
        }
        if (Files.isDirectory(path)) {
            throw new IllegalArgumentException("--html " + name + ": that is a folder; give the name of a file in it");
        }
        Path folder = path.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            throw new IllegalArgumentException("--html " + name + ": there is no folder " + folder);
        }
        return new HtmlFile(path);
    }

    /** Writes the page and says on stderr where it is. */
    void write(Illustrated illustrated) {
        Path part = path.resolveSibling(
                "." + path.getFileName() + "." + ProcessHandle.current().pid());
        try {
            try {
                writePage(illustrated, part);
                Files.move(part, path, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(part);
            }
            String size = ByteSize.format(Files.size(path));
            Terminal.err().println("leakline: wrote " + Printable.of(path.toString()) + ", " + size);
        } catch (IOException e) {
            throw new IllegalArgumentException("--html " + path + " cannot be written: " + reason(e), e);
        }
    }

    private static void writePage(Illustrated illustrated, Path part) throws IOException {
        Bundle bundle = new Bundle(resource(BUNDLE + ".js"), resource(BUNDLE + ".css"));
        try (OutputStream out = new BufferedOutputStream(
                Files.newOutputStream(part, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE))) {
            HtmlReport.write(illustrated.result(), illustrated.pictures(), bundle, out);
        }
    }

    private static String resource(String name) throws IOException {
        try (InputStream stream = HtmlFile.class.getResourceAsStream(name)) {
            if (stream == null) {
                throw new FileNotFoundException("this build of leakline has no " + name);
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static String reason(IOException failure) {
        return switch (failure) {
            case AccessDeniedException _ -> "permission denied";
            case NoSuchFileException _ -> "its folder has gone";
            default -> String.valueOf(failure.getMessage());
        };
    }
}
