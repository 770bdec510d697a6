package dev.leakline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.cli.Program.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command {@code leakline doctor} as users call it. */
class DoctorCommandTest {
    @TempDir
    private Path folder;

    @Test
    void whatIsMissingIsNamedWithItsRemedyAndIsNoError() throws Exception {
        Outcome outcome = run("doctor", "--python", folder.resolve("python").toString());
        assertThat(outcome.exit()).as(outcome.err()).isZero();
        assertThat(outcome.out())
                .contains("ok       system", "missing  python", "was not found", "-> name the Python of the job");
    }

    @Test
    void aPythonSaysWhatItHas() throws Exception {
        Path python = python("""
                python=3.12.1 (/opt/python)
                setting=PYTORCH_CUDA_ALLOC_CONF=backend:cudaMallocAsync
                torch=2.8.0
                cuda=12.8
                devices=2
                history=True
                """);
        assertThat(run("doctor", "--python", python.toString()).out())
                .contains("ok       python    Python 3.12.1")
                .contains("ok       torch     torch 2.8.0, CUDA or ROCm 12.8, sees GPUs: 2")
                .contains("ok       history")
                .contains("limited  settings  PYTORCH_CUDA_ALLOC_CONF=backend:cudaMallocAsync");
    }

    @Test
    void aTorchWithoutDevicesOrHistoryIsToldSo() throws Exception {
        Path python = python("python=3.9.0\ntorch=1.13.1\ncuda=\ndevices=0\nhistory=False\n");
        String json =
                run("doctor", "--format", "json", "--python", python.toString()).out();
        assertThat(json)
                .contains("\"schema\" : \"leakline.doctor/1\"", "built without CUDA, sees no GPU", "install torch 2.1");
    }

    /** A program that says what a Python would. */
    private Path python(String says) throws Exception {
        Path answer = Files.writeString(folder.resolve("answer"), says);
        Path program = Files.writeString(folder.resolve("python3"), "#!/bin/sh\ncat " + answer + "\n");
        return Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    }

    private Outcome run(String... arguments) throws Exception {
        return new Program(folder).run(arguments);
    }
}
