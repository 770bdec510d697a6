import java.io.IOException;
import java.nio.file.Path;

/** Writes what shells complete by, as the program itself prints it. */
final class Completions {
    private Completions() {}

    static FileTree build(Path image) throws IOException, InterruptedException {
        FileTree scripts = new FileTree();
        for (String shell : new String[] {"bash", "fish", "zsh"}) {
            Process program = new ProcessBuilder(image.resolve("leakline").toString(), "completion", shell)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            byte[] script = program.getInputStream().readAllBytes();
            if (program.waitFor() != 0) {
                throw new IllegalStateException("leakline completion " + shell + " failed");
            }
            scripts.file("leakline." + shell, script);
        }
        return scripts;
    }
}
