package dev.leakline.attach;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.leakline.attach.linux.ProcFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes with a library of PyTorch's name in their memory are found below the one that started them. */
class ProcessTreeTest {
    /** The parent has no such library, its two children have, and a third process below one of them has not. */
    private static final String TREE = """
            import mmap, os, subprocess, sys
            for _ in range(2):
                if not os.fork():
                    with open(sys.argv[1], "r+b") as file:
                        kept = mmap.mmap(file.fileno(), 0)
                    plain = subprocess.Popen(["sleep", "60"])
                    os.write(1, b"ready\\n")
                    os.read(0, 1)
                    plain.kill()
                    os._exit(0)
            for _ in range(2):
                os.wait()
            """;

    @TempDir
    private Path folder;

    @BeforeAll
    static void isLinux() throws Exception {
        assumeTrue(ProcFile.isThere(), "needs Linux");
        assumeTrue(!Job.pythons().isEmpty(), "needs a Python 3.9 or later");
    }

    @Test
    void workersAreFoundBelowTheirParent() throws Exception {
        Path library = Files.write(folder.resolve("libtorch_python.so"), new byte[4096]);
        Process parent = new ProcessBuilder(Job.pythons().getFirst().toString(), "-c", TREE, library.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (var said = parent.inputReader()) {
            assertThat(said.readLine() + said.readLine()).isEqualTo("readyready");
            int pid = Math.toIntExact(parent.pid());

            assertThat(ProcessTree.withTorch(pid))
                    .hasSize(2)
                    .allMatch(worker -> ProcessHandle.of(worker)
                            .flatMap(ProcessHandle::parent)
                            .filter(parent.toHandle()::equals)
                            .isPresent());
        } finally {
            parent.descendants().forEach(ProcessHandle::destroyForcibly);
            parent.destroyForcibly();
        }
    }

    @Test
    void whereNoneHasPyTorchThatIsSaid() throws Exception {
        Process plain = new ProcessBuilder("sleep", "60").start();
        try {
            assertThatThrownBy(() -> ProcessTree.withTorch(Math.toIntExact(plain.pid())))
                    .hasMessageContaining("has loaded PyTorch");
        } finally {
            plain.destroyForcibly();
        }
        assertThatThrownBy(() -> ProcessTree.withTorch(4_194_303)).hasMessageContaining("4194303");
    }
}
