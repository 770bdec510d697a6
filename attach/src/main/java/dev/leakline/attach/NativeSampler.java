package dev.leakline.attach;

import dev.leakline.attach.linux.LiveException;
import dev.leakline.attach.linux.OwnedFolders;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The library that notes what C and C++ code of a job allocates: as this build has it for the machine, else made by the C compiler that is at hand. */
final class NativeSampler {
    /** Its name in a job. */
    static final String NAME = "leakline_native.so";

    private static final String SOURCE = "native/leakline_native.c";
    private static final Map<String, String> MACHINES = Map.of("amd64", "x86_64", "aarch64", "aarch64");
    private static final int LIMIT_SECONDS = 60;

    private NativeSampler() {}

    /** Returns the library. */
    static byte[] read() throws IOException {
        String machine = MACHINES.getOrDefault(System.getProperty("os.arch"), "");
        String built = "/dev/leakline/probe/native/leakline_native-" + machine + ".so";
        try (InputStream stream = NativeSampler.class.getResourceAsStream(built)) {
            return stream == null ? compiled() : stream.readAllBytes();
        }
    }

    private static byte[] compiled() throws IOException {
        OwnedFolders place = new OwnedFolders(Path.of(System.getProperty("java.io.tmpdir")));
        Path folder = PrivateFiles.folder(place.next(PrivateFiles.uniqueName()));
        Path library = folder.resolve(NAME);
        try {
            Path source = folder.resolve("leakline_native.c");
            PrivateFiles.create(source, ProbeFiles.read(SOURCE));
            Process compiler = new ProcessBuilder(
                            "cc", "-O2", "-fPIC", "-shared", "-o", library.toString(), source.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!compiler.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS) || compiler.exitValue() != 0) {
                compiler.destroyForcibly();
                throw new LiveException(
                        "the C compiler (cc) cannot build the sampler that --native needs on this machine",
                        "run without --native");
            }
            return Files.readAllBytes(library);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } catch (LiveException e) {
            throw e;
        } catch (IOException e) {
            throw new LiveException(
                    "this build of leakline has no sampler for " + System.getProperty("os.arch")
                            + ", and there is no C compiler (cc) to build it",
                    "install gcc, or run without --native");
        } finally {
            ProbeFiles.remove(folder);
        }
    }
}
