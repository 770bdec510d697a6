import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Compiles the sampler of native calls for the machines whose compilers are at hand: {@code java BuildNative.java SOURCE.c FOLDER}.
 *
 * <p>The folder gets the source, and {@code leakline_native-MACHINE.so} for each machine with a compiler. Without one the build goes on: the program then
 * compiles the source where a job asks for it, or says that it cannot.
 */
final class BuildNative {
    private static final Map<String, List<String>> COMPILERS = Map.of(
            "x86_64", List.of("x86_64-linux-gnu-gcc", "gcc"), "aarch64", List.of("aarch64-linux-gnu-gcc", "gcc"));
    private static final Map<String, String> HERE = Map.of("amd64", "x86_64", "aarch64", "aarch64");

    private BuildNative() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path source = Path.of(arguments[0]);
        Path folder = Files.createDirectories(Path.of(arguments[1]));
        byte[] text = Files.readAllBytes(source);
        Path copy = folder.resolve(source.getFileName());
        if (Files.exists(copy) && java.util.Arrays.equals(text, Files.readAllBytes(copy))) {
            return;
        }
        boolean isLinux = System.getProperty("os.name").equals("Linux");
        for (Map.Entry<String, List<String>> machine : COMPILERS.entrySet()) {
            for (String compiler : machine.getValue()) {
                boolean isForHere = machine.getKey().equals(HERE.get(System.getProperty("os.arch")));
                Path built = folder.resolve("leakline_native-" + machine.getKey() + ".so");
                if (isLinux && (!compiler.equals("gcc") || isForHere) && compiles(compiler, source, built)) {
                    break;
                }
            }
        }
        Files.write(copy, text);
    }

    private static boolean compiles(String compiler, Path source, Path built) throws InterruptedException {
        try {
            return new ProcessBuilder(
                                    compiler,
                                    "-O2",
                                    "-fPIC",
                                    "-shared",
                                    "-s",
                                    "-Wl,--build-id=none",
                                    "-o",
                                    built.toString(),
                                    source.toString())
                            .inheritIO()
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false; // there is no such compiler
        }
    }
}
