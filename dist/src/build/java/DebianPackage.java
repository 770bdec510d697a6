import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.HexFormat;
import org.apache.commons.compress.archivers.ar.ArArchiveEntry;
import org.apache.commons.compress.archivers.ar.ArArchiveOutputStream;

/** The image as a .deb. */
final class DebianPackage {
    private static final int REGULAR_FILE = 0100644;

    private final Path root;
    private final String version;
    private final Instant time;

    DebianPackage(Path root, String version, Instant time) {
        this.root = root;
        this.version = version;
        this.time = time;
    }

    void write(FileTree image, FileTree manual, FileTree completions, Path packages) throws Exception {
        FileTree tree = SystemFiles.of(image, manual, completions).plus(papers());
        String architecture = System.getProperty("os.arch").equals("aarch64") ? "arm64" : "amd64";
        Path file = packages.resolve("leakline_" + version + "_" + architecture + ".deb");
        try (OutputStream out = Files.newOutputStream(file);
                ArArchiveOutputStream ar = new ArArchiveOutputStream(out)) {
            add(ar, "debian-binary", "2.0\n".getBytes(StandardCharsets.US_ASCII));
            add(ar, "control.tar.gz", Archives.gzip(Archives.tarred(control(tree, architecture), "./", time)));
            add(ar, "data.tar.gz", Archives.gzip(Archives.tarred(tree, "./", time)));
        }
    }

    private FileTree papers() throws IOException {
        String licences = Files.readString(root.resolve("NOTICE"))
                + "\nLeakline is licensed under the Apache License, Version 2.0, which Debian keeps in\n"
                + "/usr/share/common-licenses/Apache-2.0; the Java that it brings is licensed as\n"
                + "/usr/lib/leakline/runtime/legal says.\n";
        byte[] changes = Files.readAllBytes(root.resolve("CHANGELOG.md"));
        return new FileTree()
                .file("usr/share/doc/leakline/copyright", licences.getBytes(StandardCharsets.UTF_8))
                .file("usr/share/doc/leakline/changelog.gz", Archives.gzip(changes));
    }

    private FileTree control(FileTree tree, String architecture) throws GeneralSecurityException {
        StringBuilder sums = new StringBuilder();
        for (var file : tree.entries().entrySet()) {
            if (!file.getValue().isLink()) {
                byte[] sum =
                        MessageDigest.getInstance("MD5").digest(file.getValue().content());
                sums.append(HexFormat.of().formatHex(sum))
                        .append("  ")
                        .append(file.getKey())
                        .append('\n');
            }
        }
        String control = """
                Package: leakline
                Version: %s
                Section: devel
                Priority: optional
                Architecture: %s
                Installed-Size: %d
                Depends: libc6 (>= 2.17)
                Maintainer: The Leakline authors <leakline@invalid.invalid>
                Description: finds the line of code that leaks GPU memory in PyTorch jobs
                 Reads memory snapshots, profiler traces, logs and messages, and says what
                 leaks or fills GPU memory, at which line, and what to change. It brings the
                 part of Java that it needs.
                """.formatted(version, architecture, tree.bytes() >> 10);
        return new FileTree()
                .file("control", control.getBytes(StandardCharsets.UTF_8))
                .file("md5sums", sums.toString().getBytes(StandardCharsets.UTF_8));
    }

    private void add(ArArchiveOutputStream ar, String name, byte[] content) throws IOException {
        ar.putArchiveEntry(new ArArchiveEntry(name, content.length, 0, 0, REGULAR_FILE, time.getEpochSecond()));
        ar.write(content);
        ar.closeArchiveEntry();
    }
}
