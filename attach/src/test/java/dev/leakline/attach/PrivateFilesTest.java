package dev.leakline.attach;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.leakline.attach.linux.LiveException;
import dev.leakline.attach.linux.Owner;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What others have put in the way is neither written to nor followed. */
class PrivateFilesTest {
    private static final int NOBODY = 65534;

    @TempDir
    private Path folder;

    private Path everybodys;
    private Path precious;

    @BeforeEach
    void open() throws IOException {
        everybodys = Files.createDirectory(folder.resolve("everybodys"));
        Files.setPosixFilePermissions(everybodys, PosixFilePermissions.fromString("rwxrwxrwx"));
        precious = Files.writeString(folder.resolve("precious"), "precious");
    }

    @Test
    void aPlantedLinkIsReplacedAndNotWrittenThrough() throws Exception {
        Path planted = Files.createSymbolicLink(everybodys.resolve("dump"), precious);
        PrivateFiles.write(planted, out -> out.write("ours".getBytes(UTF_8)), PrivateFiles.FILE);

        assertThat(precious).hasContent("precious");
        assertThat(planted).isRegularFile().hasContent("ours");
        assertThat(mode(planted)).isEqualTo("rw-------");
        assertThat(Files.isSymbolicLink(planted)).isFalse();
    }

    @Test
    void aPlantedFileIsReplacedAndNotWrittenTo() throws Exception {
        Path planted = Files.createLink(everybodys.resolve("dump"), precious);
        PrivateFiles.write(planted, out -> out.write("ours".getBytes(UTF_8)), PrivateFiles.FILE);

        assertThat(precious).hasContent("precious");
        assertThat(planted).hasContent("ours");
    }

    @Test
    void whereAFileIsNewNothingMayBeThere() throws Exception {
        Path planted = Files.createSymbolicLink(everybodys.resolve("probe"), everybodys.resolve("elsewhere"));

        assertThatThrownBy(() -> PrivateFiles.create(planted, new byte[1]))
                .isInstanceOf(FileAlreadyExistsException.class);
        assertThat(everybodys.resolve("elsewhere")).doesNotExist();
    }

    @Test
    void whatCannotBeWrittenLeavesNothing() {
        assertThatThrownBy(() -> PrivateFiles.write(everybodys.resolve("dump"), _ -> {
                    throw new IOException("the disk is full");
                }))
                .hasMessage("the disk is full");
        assertThat(everybodys).isEmptyDirectory();
    }

    @Test
    void foldersAreForTheirOwnerOnly() throws Exception {
        Path made = PrivateFiles.folder(everybodys.resolve("a/b"));

        assertThat(mode(made)).isEqualTo("rwx------");
        assertThat(mode(made.getParent())).isEqualTo("rwx------");
        assertThat(PrivateFiles.folder(made)).isEqualTo(made);
    }

    @Test
    void aLinkIsFollowedOnlyWhereNobodyElseCanMakeOne() throws Exception {
        Path target = Files.createDirectory(folder.resolve("target"));
        Path own = Files.createSymbolicLink(folder.resolve("own"), target);
        Path planted = Files.createSymbolicLink(everybodys.resolve("planted"), target);
        Path page = Files.createSymbolicLink(everybodys.resolve("page.html"), precious);

        assertThat(PrivateFiles.folder(own)).isEqualTo(target.toRealPath());
        assertThat(PrivateFiles.target(own.resolve("page.html"))).isEqualTo(own.resolve("page.html"));
        assertThatThrownBy(() -> PrivateFiles.folder(planted.resolve("new")))
                .isInstanceOf(LiveException.class)
                .hasMessageContaining(planted + " is a symbolic link in a folder that everybody can write to");
        assertThatThrownBy(() -> PrivateFiles.target(page)).hasMessageContaining(page + " is a symbolic link");
        assertThat(target).isEmptyDirectory();
    }

    @Test
    void nothingIsAppendedToWhatOthersPlanted() throws Exception {
        Path planted = Files.createSymbolicLink(everybodys.resolve("alerts"), precious);
        Path beneath =
                Files.createSymbolicLink(everybodys.resolve("there"), Files.createDirectory(folder.resolve("there")));

        assertThatThrownBy(() -> PrivateFiles.append(planted)).hasMessageContaining(planted + " is a symbolic link");
        assertThatThrownBy(() -> PrivateFiles.append(beneath.resolve("new")))
                .hasMessageContaining(beneath + " is a symbolic link");
        assertThat(precious).hasContent("precious");
        Path own = Files.createSymbolicLink(folder.resolve("own"), precious);
        for (Path file : List.of(own, everybodys.resolve("new"))) {
            try (OutputStream out = PrivateFiles.append(file)) {
                out.write("!".getBytes(UTF_8));
            }
        }
        assertThat(precious).hasContent("precious!");
        assertThat(mode(everybodys.resolve("new"))).isEqualTo("rw-------");
    }

    @Test
    void anothersFileIsNotAppendedToWhereEverybodyMakesFiles() throws Exception {
        assumeTrue(Owner.self().user() == 0, "needs root, to give a file away");
        Path given = Files.createFile(everybodys.resolve("given"));
        new Owner(NOBODY, NOBODY).give(given);

        assertThatThrownBy(() -> PrivateFiles.append(given)).hasMessageContaining("belongs to another user");
    }

    @Test
    void anothersFolderIsUsedOnlyWhereNobodyElseCanMakeOne() throws Exception {
        assumeTrue(Owner.self().user() == 0, "needs root, to give a folder away");
        Path given = Files.createDirectory(folder.resolve("given"));
        Path planted = Files.createDirectory(everybodys.resolve("planted"));
        new Owner(NOBODY, NOBODY).give(given);
        new Owner(NOBODY, NOBODY).give(planted);

        assertThat(PrivateFiles.folder(given)).isEqualTo(given.toRealPath());
        assertThatThrownBy(() -> PrivateFiles.folder(planted))
                .isInstanceOf(LiveException.class)
                .hasMessageContaining("belongs to another user");
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }
}
