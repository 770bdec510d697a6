package dev.leakline.attach.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a killed process left is removed, and nothing else. */
class OwnedFoldersTest {
    private static final int NOBODY = 65534;

    @TempDir
    private Path place;

    private OwnedFolders folders;

    @BeforeEach
    void onLinux() {
        assumeTrue(ProcFile.isThere());
        folders = new OwnedFolders(place);
    }

    @Test
    void aFolderWhoseOwnerIsGoneIsRemovedWithItsFiles() throws Exception {
        Path left = Files.createDirectory(ofTheDead());
        Files.writeString(left.resolve("job-" + dead() + ".growth.pickle"), "left");
        folders.clear();
        assertThat(left).doesNotExist();
    }

    @Test
    void foldersInItAreRemovedToo() throws Exception {
        Path left = Files.createDirectory(ofTheDead());
        Path notes = Files.createDirectory(left.resolve("run"));
        Files.writeString(notes.resolve(String.valueOf(dead())), "armed");
        Files.createSymbolicLink(notes.resolve("link"), place);
        folders.clear();
        assertThat(left).doesNotExist();
        assertThat(place).exists();
    }

    @Test
    void aFolderInWhichARunningProcessHasNotesStays() throws Exception {
        Path notes = Files.createDirectories(ofTheDead().resolve("run"));
        Path note = notes.resolve(String.valueOf(ProcessHandle.current().pid()));
        Files.writeString(note, "armed");
        folders.clear();
        assertThat(note).exists();
    }

    @Test
    void aFolderWhoseOwnerIsThereStays() throws Exception {
        Path own = Files.createDirectory(folders.next("leakline-1a2b3c"));
        folders.clear();
        assertThat(own).exists();
    }

    @Test
    void aProcessOfTheSameNumberThatBeganLaterIsNotTheOwner() throws Exception {
        Path left = Files.createDirectory(Path.of(folders.next("leakline-1a2b3c") + "0"));
        folders.clear();
        assertThat(left).doesNotExist();
    }

    @Test
    void aFolderToWhichTheJobMayStillWriteStays() throws Exception {
        Path left = Files.createDirectory(ofTheDead());
        Path file = left.resolve("job-" + ProcessHandle.current().pid() + ".growth.pickle");
        Files.writeString(file, "written");
        folders.clear();
        assertThat(file).exists();
    }

    @Test
    void aFolderFromAnotherNamespaceStays() throws Exception {
        String[] parts = ofTheDead().getFileName().toString().split("-", -1);
        parts[2] = "1";
        Path other = Files.createDirectory(place.resolve(String.join("-", parts)));
        folders.clear();
        assertThat(other).exists();
    }

    @Test
    void aLinkIsNotFollowed() throws Exception {
        Path precious = Files.createDirectory(place.resolve("precious"));
        Files.writeString(precious.resolve("file"), "precious");
        Files.createSymbolicLink(ofTheDead(), precious);
        folders.clear();
        assertThat(precious.resolve("file")).hasContent("precious");
    }

    @Test
    void anotherUsersFolderStays() throws Exception {
        assumeTrue(Owner.self().user() == 0, "only root can give a folder away");
        Path other = Files.createDirectory(ofTheDead());
        Files.setAttribute(other, "unix:uid", NOBODY);
        folders.clear();
        assertThat(other).exists();
    }

    /** The path that a program would have had which has ended. */
    private Path ofTheDead() throws Exception {
        long own = ProcessHandle.current().pid();
        return Path.of(folders.next("leakline-1a2b3c").toString().replace("-" + own + "-", "-" + dead() + "-"));
    }

    private static long dead() throws IOException, InterruptedException {
        Process process = new ProcessBuilder("true").start();
        process.waitFor();
        return process.pid();
    }
}
