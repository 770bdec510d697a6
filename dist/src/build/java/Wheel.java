import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.zip.Deflater;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipArchiveOutputStream;

/** The image as a Python wheel: package data that the command {@code leakline} hands its process to. */
@SuppressWarnings("InlineFormatString") // long texts stand at the end
final class Wheel {
    private static final int REGULAR_FILE = 0100000;
    /** The newest symbols of glibc that the image asks for are of this version. */
    private static final String GLIBC = "2_17";

    private final String version;
    private final Instant time;

    Wheel(String version, Instant time) {
        this.version = version;
        this.time = time;
    }

    void write(FileTree image, FileTree manual, Path packages) throws IOException, GeneralSecurityException {
        String architecture = Release.architecture();
        String tag = "py3-none-manylinux_" + GLIBC + "_" + architecture;
        String about = "leakline-" + version + ".dist-info/";
        FileTree wheel =
                image.in("leakline/image").plus(manual.in("leakline-" + version + ".data/data/share/man/man1"));
        text(wheel, "leakline/__init__.py", START.formatted(version, time.getEpochSecond()));
        text(wheel, "leakline/__main__.py", "from leakline import main\n\nmain()\n");
        text(wheel, about + "entry_points.txt", "[console_scripts]\nleakline = leakline:main\n");
        text(wheel, about + "METADATA", METADATA.formatted(version));
        text(wheel, about + "WHEEL", """
                Wheel-Version: 1.0
                Generator: leakline
                Root-Is-Purelib: false
                Tag: %s
                """.formatted(tag));
        wheel.file(about + "licenses/LICENSE", image.entries().get("LICENSE").content());
        wheel.file(about + "licenses/NOTICE", image.entries().get("NOTICE").content());
        wheel.file(about + "RECORD", WheelRecord.of(wheel.contents(), about + "RECORD"));
        try (OutputStream out = Files.newOutputStream(packages.resolve("leakline-" + version + "-" + tag + ".whl"));
                ZipArchiveOutputStream zip = new ZipArchiveOutputStream(out)) {
            zip.setLevel(Deflater.BEST_COMPRESSION);
            for (var file : wheel.entries().entrySet()) {
                ZipArchiveEntry entry = new ZipArchiveEntry(file.getKey());
                entry.setUnixMode(REGULAR_FILE | file.getValue().mode());
                entry.setTimeLocal(LocalDateTime.ofInstant(time, ZoneOffset.UTC));
                zip.putArchiveEntry(entry);
                zip.write(file.getValue().content());
                zip.closeArchiveEntry();
            }
        }
    }

    private static void text(FileTree tree, String name, String text) {
        tree.file(name, text.getBytes(StandardCharsets.UTF_8));
    }

    private static final String START = """
            \"""Starts Leakline, which brings its own Java.\"""
            import os
            import sys

            __version__ = "%s"
            _HOME = os.path.join(os.path.dirname(os.path.abspath(__file__)), "image")
            # The JVM takes its archive of classes only for jars with the times that it was made with, and pip gives them others.
            _TIME = %d


            def _restore_times():
                app = os.path.join(_HOME, "app")
                if os.path.getmtime(os.path.join(app, "leakline.jar")) == _TIME:
                    return
                # The one that is looked at comes last, so that nobody takes half of them for all.
                jars = [os.path.join(app, "lib", name) for name in os.listdir(os.path.join(app, "lib"))]
                for jar in jars + [os.path.join(app, "leakline.jar")]:
                    os.utime(jar, (_TIME, _TIME))


            def main():
                try:
                    _restore_times()
                except OSError:
                    pass  # installed by somebody else: it starts as well, in a third of a second more
                launcher = os.path.join(_HOME, "leakline")
                os.execv("/bin/sh", ["/bin/sh", launcher] + sys.argv[1:])
            """;

    private static final String METADATA = """
            Metadata-Version: 2.1
            Name: leakline
            Version: %s
            Summary: Finds the line of code that leaks GPU memory in PyTorch jobs
            License: Apache-2.0
            Requires-Python: >=3.8
            Provides-Extra: probe
            Requires-Dist: leakline-probe ; extra == 'probe'
            Description-Content-Type: text/markdown

            `leakline explain train.log` says why a job ran out of GPU memory, `leakline report snapshot.pickle` which line leaks,
            `leakline run -- python train.py` watches a job and names who holds what leaks. No Java, no GPU and no PyTorch needed.
            """;
}
