import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;

/** The image as a .tar.gz of one folder, to unpack anywhere; its {@code leakline} starts it, through symbolic links, too. */
final class Tarball {
    private Tarball() {}

    static void write(FileTree tree, String name, Instant time, Path packages) throws IOException {
        byte[] tar = Archives.tarred(tree, name + "/", time);
        Files.write(packages.resolve(name + ".tar.gz"), Archives.gzip(tar));
    }
}
