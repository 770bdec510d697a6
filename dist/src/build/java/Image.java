import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/**
 * Makes what all packages carry: the launcher, the program, the part of Java that it needs, and an archive of classes that lets it start fast.
 *
 * <p>The archive is made from a sorted list of the classes that samples load. Unlike the cache that the launcher trains in a checkout it has no
 * machine code and no profiles, so it is the same each time; it starts as fast. The JVM compares the times of the jars with it, so
 * all files have the time of the release.
 */
final class Image {
    /**
     * jdeps finds the first two. {@code run} reaches sun.misc.Signal by reflection (jdk.unsupported), and {@code watch --listen} is the JDK's
     * own HTTP server; its webhooks and {@code --otlp} use java.net.http.
     */
    private static final String MODULES = "java.base,java.logging,jdk.unsupported,jdk.httpserver,java.net.http";

    private static final List<String> SUPERFLUOUS =
            List.of("lib/jrt-fs.jar", "lib/classlist", "lib/jexec", "bin/keytool");
    /** Jars with machine code for all systems, and ours, in which Maven leaves the time of a module's description and modes of folders. */
    private static final Pattern WRITTEN_ANEW = Pattern.compile("(zstd-jni|leakline).*");
    /** Machine code for other systems; that of zstd for this one lies beside its jar. */
    private static final Pattern OTHER_SYSTEMS = Pattern.compile("(aix|darwin|freebsd|linux|win)/.*");

    /** Parts of the archive that differ from run to run: what was resolved of each class, and long division, which formats some times of a run. */
    private static final Pattern BY_CHANCE = Pattern.compile("^(@cp|java/math/(Signed)?MutableBigInteger)");

    /** The numbers of classes in a list, which tell their order. */
    private static final Pattern LOADED_AS = Pattern.compile(" id: \\d+$");

    /** The commands that users give first: what they load is in the archive. */
    private static final List<List<String>> SAMPLES = List.of(
            List.of("--version"),
            List.of("report", "--help"),
            List.of(
                    "report",
                    "--source",
                    "EXAMPLES",
                    "EXAMPLES/train_with_a_leak.holders.gz",
                    "EXAMPLES/train_with_a_leak.pickle.gz"),
            List.of("report", "--html", "OUT.html", "EXAMPLES/train_with_a_leak.pickle.gz"),
            List.of("report", "--format", "json", "EXAMPLES/train_with_a_leak.pickle.gz"),
            List.of("whatif", "EXAMPLES/fit/train_too_large.pickle.gz"),
            List.of("explain", "EXAMPLES/oom.log"),
            List.of("ranks", "EXAMPLES/ranks/iteration_12"),
            List.of("fit", "--device-memory", "24GiB", "EXAMPLES/train_with_a_leak.pickle.gz"),
            List.of("lint", "EXAMPLES"));

    /** The work of {@code run} beside a job: it waits, and says who holds what grows. All that these two load and nothing more is in its archive. */
    private static final List<List<String>> BESIDE_JOBS = List.of(
            List.of("run", "--keep", "OUT", "--", "sleep", "2"),
            List.of("holders", "EXAMPLES/train_with_a_leak.holders.gz"));

    private final Path root;
    private final FileTime time;

    Image(Path root, Instant time) {
        this.root = root;
        this.time = FileTime.from(time);
    }

    FileTree build(Path image) throws IOException, InterruptedException {
        FileTree.delete(image);
        Path app = Files.createDirectories(image.resolve("app"));
        link(image.resolve("runtime"));
        Path built = root.resolve("app/target");
        copyLibrary(built.resolve("leakline.jar"), app.resolve("leakline.jar"));
        try (Stream<Path> libraries = Files.list(built.resolve("lib"))) {
            for (Path library : libraries.toList()) {
                copyLibrary(library, Files.createDirectories(app.resolve("lib")).resolve(library.getFileName()));
            }
        }
        Files.copy(root.resolve("web/target/leakline.html"), app.resolve("leakline.html"));
        Path launcher = Files.copy(root.resolve("leakline"), image.resolve("leakline"));
        Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwxr-xr-x"));
        setTimes(image);
        archive(image, "leakline.jsa", SAMPLES);
        archive(image, "run.jsa", BESIDE_JOBS);
        setTimes(image);
        return FileTree.of(image);
    }

    private static void link(Path runtime) throws IOException {
        int exit = ToolProvider.findFirst("jlink")
                .orElseThrow()
                .run(
                        System.out,
                        System.err,
                        "--add-modules=" + MODULES,
                        "--strip-debug",
                        "--compress=zip-9",
                        "--no-header-files",
                        "--no-man-pages",
                        "--output=" + runtime);
        if (exit != 0) {
            throw new IllegalStateException("jlink ended with " + exit);
        }
        for (String file : SUPERFLUOUS) {
            Files.deleteIfExists(runtime.resolve(file));
        }
    }

    private void copyLibrary(Path from, Path to) throws IOException {
        if (!WRITTEN_ANEW.matcher(from.getFileName().toString()).matches()) {
            Files.copy(from, to);
            return;
        }
        try (ZipInputStream in = new ZipInputStream(Files.newInputStream(from));
                ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(to))) {
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                if (!OTHER_SYSTEMS.matcher(entry.getName()).matches()) {
                    ZipEntry copy = new ZipEntry(entry.getName());
                    copy.setTimeLocal(LocalDateTime.ofInstant(time.toInstant(), ZoneOffset.UTC));
                    out.putNextEntry(copy);
                    in.transferTo(out);
                    out.closeEntry();
                }
            }
        }
    }

    private void archive(Path image, String name, List<List<String>> samples) throws IOException, InterruptedException {
        Path work = Files.createTempDirectory("leakline-image");
        TreeSet<String> classes = new TreeSet<>();
        for (List<String> sample : samples) {
            Path loaded = work.resolve("loaded");
            java(image, work, List.of("-Xshare:off", "-XX:DumpLoadedClassList=" + loaded), sample);
            Files.readAllLines(loaded).stream()
                    .filter(line ->
                            !line.startsWith("#") && !BY_CHANCE.matcher(line).find())
                    .map(line -> LOADED_AS.matcher(line).replaceAll(""))
                    .forEach(classes::add);
        }
        Path list = Files.write(work.resolve("classes"), classes);
        java(
                image,
                work,
                List.of("-Xshare:dump", "-XX:SharedClassListFile=" + list, "-XX:SharedArchiveFile=" + name),
                List.of());
        if (!Files.exists(image.resolve(name))) {
            throw new IllegalStateException("no archive: " + Files.readString(work.resolve("said")));
        }
        FileTree.delete(work);
    }

    /** Starts the image's own Java as the launcher does, in its folder, so that no path of this machine gets into the archive. */
    private void java(Path image, Path work, List<String> options, List<String> arguments)
            throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of("runtime/bin/java", "-XX:+UseSerialGC", "-XX:ActiveProcessorCount=1"));
        command.addAll(Launcher.options(root));
        command.addAll(options);
        command.addAll(List.of("-jar", "app/leakline.jar"));
        for (String argument : arguments) {
            command.add(argument.replace("EXAMPLES", root.resolve("examples").toString())
                    .replace("OUT", work.resolve("out").toString()));
        }
        command.set(0, image.resolve(command.get(0)).toString());
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(image.toFile())
                .redirectErrorStream(true)
                .redirectOutput(work.resolve("said").toFile());
        builder.environment().clear(); // the language decides which classes are loaded
        builder.environment().put("LC_ALL", "C.UTF-8");
        Process process = builder.start();
        process.getOutputStream().close();
        if (process.waitFor() > 1) {
            throw new IllegalStateException(command + ": " + Files.readString(work.resolve("said")));
        }
    }

    private void setTimes(Path image) throws IOException {
        try (Stream<Path> files = Files.walk(image)) {
            for (Path file : files.toList()) {
                Files.setLastModifiedTime(file, time);
            }
        }
    }

    /** The options that the launcher gives to the JVM, so that they stand there alone. */
    static final class Launcher {
        private Launcher() {}

        /** The options that every start has. */
        static List<String> options(Path root) throws IOException {
            String script = Files.readString(root.resolve("leakline"));
            List<String> options = new ArrayList<>(words(script, "options"));
            options.addAll(words(script, "heap"));
            return options;
        }

        private static List<String> words(String script, String name) {
            Matcher assignment = Pattern.compile("^" + name + "='([^']*)'", Pattern.MULTILINE)
                    .matcher(script);
            if (!assignment.find()) {
                throw new IllegalStateException("the launcher sets no " + name);
            }
            return Arrays.asList(assignment.group(1).split(" "));
        }
    }
}
