import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/**
 * Makes all packages of a release, each the same image in another wrapper: {@code Release ROOT VERSION TIMESTAMP OUT}.
 *
 * <p>ROOT is the checkout with a built app. Nothing of when or where they were made is in them: the same sources, made by the same JDK, are
 * the same bytes.
 */
final class Release {
    public static void main(String[] arguments) throws Exception {
        Path root = Path.of(arguments[0]).toAbsolutePath().normalize();
        String version = arguments[1];
        Instant time = Instant.parse(arguments[2]);
        Path out = Path.of(arguments[3]).toAbsolutePath();
        Path packages = out.resolve("packages");
        FileTree.delete(packages);
        Files.createDirectories(packages);

        FileTree image = new Image(root, time).build(out.resolve("image"));
        FileTree manual = new ManPages(version, time).build();
        FileTree completions = Completions.build(out.resolve("image"));
        FileTree papers = papers(root);

        new Wheel(version, time).write(image.plus(papers), manual, packages);
        Tarball.write(
                image.plus(papers).plus(manual.in("share/man/man1")).plus(completions.in("share/completions")),
                "leakline-" + version + "-linux-" + architecture(),
                time,
                packages);
        new DebianPackage(root, version, time).write(image, manual, completions, packages);
        new RpmPackage(version, time).write(image, manual, completions, papers, packages);
        new OciImage(root, version, time).write(image.plus(papers), packages);
        Sbom.write(out.resolve("bom.json"), out.resolve("image/runtime/release"), packages, version);
        copyProbe(root, packages);
        Files.copy(root.resolve("web/target/leakline.html"), packages.resolve("leakline.html"));
        Site.build(root, out.resolve("site"), version);
        Files.writeString(packages.resolve("RELEASE_NOTES.md"), notes(root, version));
        writeSums(packages);
    }

    /** The section of the version in CHANGELOG.md, and the changes that no release has had. */
    private static String notes(Path root, String version) throws IOException {
        String log = Files.readString(root.resolve("CHANGELOG.md"));
        int begin = log.indexOf("\n## " + version + "\n");
        int end = begin < 0 ? begin : log.indexOf("\n## ", begin + 1);
        StringBuilder notes = new StringBuilder("# Leakline " + version + "\n");
        if (begin >= 0) {
            notes.append(log, log.indexOf('\n', begin + 1), end < 0 ? log.length() : end);
        }
        try (Stream<Path> changes = Files.list(root.resolve("changes"))) {
            for (Path change :
                    changes.filter(file -> !file.endsWith("README.md")).sorted().toList()) {
                notes.append(Files.readString(change));
            }
        }
        return notes.toString();
    }

    /** The machine's architecture as files are named by it. */
    static String architecture() {
        return System.getProperty("os.arch").equals("amd64") ? "x86_64" : System.getProperty("os.arch");
    }

    private static FileTree papers(Path root) throws IOException {
        FileTree papers = new FileTree();
        for (String name : List.of("LICENSE", "NOTICE")) {
            papers.file(name, Files.readAllBytes(root.resolve(name)));
        }
        return papers;
    }

    private static void copyProbe(Path root, Path packages) throws IOException {
        try (Stream<Path> wheels = Files.list(root.resolve("probe/target"))) {
            for (Path wheel :
                    wheels.filter(file -> file.toString().endsWith(".whl")).toList()) {
                Files.write(packages.resolve(wheel.getFileName()), Files.readAllBytes(wheel));
            }
        }
    }

    private static void writeSums(Path packages) throws IOException, GeneralSecurityException {
        try (Stream<Path> files = Files.list(packages)) {
            StringBuilder sums = new StringBuilder();
            for (Path file : files.sorted().toList()) {
                sums.append(Archives.sha256(Files.readAllBytes(file)))
                        .append("  ")
                        .append(file.getFileName())
                        .append('\n');
            }
            Files.writeString(packages.resolve("SHA256SUMS"), sums);
        }
    }
}
