import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import java.time.LocalDateTime;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Packs the probe's one file and the optional modules as a wheel, which pip installs anywhere:
 * {@code java BuildWheel.java FILE OPTIONAL FOLDER}.
 *
 * <p>Nothing in it depends on when or where it was made: the same files always make the same bytes.
 */
final class BuildWheel {
    private static final Pattern VERSION = Pattern.compile("^VERSION = \"([\\d.]+)\"$", Pattern.MULTILINE);
    /** The earliest day that a zip file holds in its own form; before it Java stores the zone's difference, too. */
    private static final LocalDateTime TIME = LocalDateTime.of(1980, 1, 2, 0, 0);

    private final Map<String, byte[]> files = new LinkedHashMap<>();

    public static void main(String[] arguments) throws IOException, NoSuchAlgorithmException {
        Path probe = Path.of(arguments[0]);
        Matcher version = VERSION.matcher(Files.readString(probe));
        if (!version.find()) {
            throw new IllegalStateException(probe + " has no VERSION");
        }
        BuildWheel wheel = new BuildWheel();
        wheel.files.put("leakline_probe.py", Files.readAllBytes(probe));
        wheel.addOptional(Path.of(arguments[1]));
        wheel.build(version.group(1), Path.of(arguments[2]));
    }

    /** Modules for test runners, trainers and notebooks; the folder is searched for them by the probe's {@code __path__}. */
    private void addOptional(Path folder) throws IOException {
        try (Stream<Path> found = Files.walk(folder)) {
            for (Path module : found.filter(file -> file.toString().endsWith(".py"))
                    .sorted()
                    .toList()) {
                files.put(folder.relativize(module).toString(), Files.readAllBytes(module));
            }
        }
    }

    private void build(String version, Path folder) throws IOException, NoSuchAlgorithmException {
        String name = "leakline_probe-" + version;
        String about = name + ".dist-info/";
        add(about + "METADATA", """
                Metadata-Version: 2.1
                Name: leakline-probe
                Version: %s
                Summary: Says from inside a PyTorch process who keeps its GPU memory; leakline reads what it writes
                Requires-Python: >=3.9

                `import leakline_probe` does nothing by itself. `leakline_probe.start("out")` writes what leakline reads to a folder:
                who held each GPU tensor, and PyTorch's memory snapshot, at the exit, when memory runs out, and while it grows.
                `step()`, `phase(name)` and `profile` mark what the job does; `holders(tensor)` says who keeps a tensor alive.
                Optional: `@pytest.mark.leakline(leaks="1 MB")`, callbacks for Lightning and the Trainer of transformers, `%%load_ext leakline_probe`.
                """.formatted(version));
        add(about + "entry_points.txt", """
                [pytest11]
                leakline = leakline_pytest
                """);
        add(about + "WHEEL", """
                Wheel-Version: 1.0
                Generator: BuildWheel.java
                Root-Is-Purelib: true
                Tag: py3-none-any
                """);
        files.put(about + "RECORD", WheelRecord.of(files, about + "RECORD"));
        Files.createDirectories(folder);
        try (OutputStream out = Files.newOutputStream(folder.resolve(name + "-py3-none-any.whl"))) {
            write(out);
        }
    }

    private void add(String path, String text) {
        files.put(path, text.getBytes(StandardCharsets.UTF_8));
    }

    private void write(OutputStream out) throws IOException {
        try (ZipOutputStream zip = new ZipOutputStream(out)) {
            for (Map.Entry<String, byte[]> file : files.entrySet()) {
                ZipEntry entry = new ZipEntry(file.getKey());
                entry.setTimeLocal(TIME);
                zip.putNextEntry(entry);
                zip.write(file.getValue());
                zip.closeEntry();
            }
        }
    }
}
