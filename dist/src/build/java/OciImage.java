import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The image as a container: an OCI layout in a tar file, which {@code podman load}, {@code docker load} and {@code skopeo} take. Beside the
 * image there is only the C library of the machine that made it, with its table of letters; no shell, so Java itself is started.
 */
final class OciImage {
    private static final List<String> C_LIBRARY =
            List.of("libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1");
    /** Where the language is not of UTF-8, Java refuses names of files beyond ASCII. */
    private static final String LETTERS = "usr/lib/locale/C.utf8/LC_CTYPE";

    private static final String HOME = "/usr/lib/leakline";

    private final Path root;
    private final String version;
    private final Instant time;

    OciImage(Path root, String version, Instant time) {
        this.root = root;
        this.version = version;
        this.time = time;
    }

    void write(FileTree image, Path packages) throws IOException, GeneralSecurityException {
        byte[] tar = Archives.tarred(files(image), "", time);
        byte[] layer = Archives.gzip(tar);
        String architecture = System.getProperty("os.arch").equals("aarch64") ? "arm64" : "amd64";
        byte[] config = """
                {"created":"%s","architecture":"%s","os":"linux","config":{"Env":["LC_CTYPE=C.UTF-8"],"Entrypoint":[%s],"WorkingDir":"/work"},\
                "rootfs":{"type":"layers","diff_ids":["sha256:%s"]},"history":[{"created":"%s","created_by":"leakline"}]}""".formatted(time, architecture, entryPoint(), Archives.sha256(tar), time)
                .getBytes(StandardCharsets.UTF_8);
        byte[] manifest = """
                {"schemaVersion":2,"mediaType":"application/vnd.oci.image.manifest.v1+json",\
                "config":{"mediaType":"application/vnd.oci.image.config.v1+json","digest":"sha256:%s","size":%d},\
                "layers":[{"mediaType":"application/vnd.oci.image.layer.v1.tar+gzip","digest":"sha256:%s","size":%d}]}""".formatted(Archives.sha256(config), config.length, Archives.sha256(layer), layer.length)
                .getBytes(StandardCharsets.UTF_8);
        byte[] index = """
                {"schemaVersion":2,"mediaType":"application/vnd.oci.image.index.v1+json","manifests":[\
                {"mediaType":"application/vnd.oci.image.manifest.v1+json","digest":"sha256:%s","size":%d,\
                "platform":{"architecture":"%s","os":"linux"},"annotations":{"org.opencontainers.image.ref.name":"%s",\
                "io.containerd.image.name":"docker.io/library/leakline:%s"}}]}""".formatted(Archives.sha256(manifest), manifest.length, architecture, version, version)
                .getBytes(StandardCharsets.UTF_8);
        FileTree layout = new FileTree()
                .file("oci-layout", "{\"imageLayoutVersion\":\"1.0.0\"}".getBytes(StandardCharsets.UTF_8))
                .file("index.json", index);
        for (byte[] blob : List.of(layer, config, manifest)) {
            layout.file("blobs/sha256/" + Archives.sha256(blob), blob);
        }
        String name = "leakline-" + version + "-oci-" + Release.architecture() + ".tar";
        Files.write(packages.resolve(name), Archives.tarred(layout, "", time));
    }

    private static FileTree files(FileTree image) throws IOException {
        FileTree files =
                image.in(HOME.substring(1)).file("tmp/.keep", new byte[0]).file("work/.keep", new byte[0]);
        boolean isArm = System.getProperty("os.arch").equals("aarch64");
        String folder = isArm ? "lib/aarch64-linux-gnu/" : "lib/x86_64-linux-gnu/";
        String loader = isArm ? "lib/ld-linux-aarch64.so.1" : "lib64/ld-linux-x86-64.so.2";
        files.program(loader, Files.readAllBytes(Path.of("/" + loader)));
        for (String library : C_LIBRARY) {
            files.program(folder + library, Files.readAllBytes(Path.of("/" + folder + library)));
        }
        files.file(LETTERS, Files.readAllBytes(Path.of("/" + LETTERS)));
        Path licence = Path.of("/usr/share/doc/libc6/copyright");
        return Files.exists(licence) ? files.file(licence.toString().substring(1), Files.readAllBytes(licence)) : files;
    }

    private String entryPoint() throws IOException {
        List<String> command = new ArrayList<>(List.of(HOME + "/runtime/bin/java"));
        command.addAll(Image.Launcher.options(root));
        command.addAll(List.of(
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1", // as the launcher has it for all but the largest files
                "-XX:SharedArchiveFile=" + HOME + "/leakline.jsa",
                "-jar",
                HOME + "/app/leakline.jar"));
        return command.stream().map(word -> '"' + word + '"').collect(Collectors.joining(","));
    }
}
