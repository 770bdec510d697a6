package dev.leakline.attach.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ElfFileTest {
    private static final int MUTATIONS = 400;

    @TempDir
    private Path folder;

    /** A small library that every JDK for Linux has. */
    private static Path library() {
        Path library = Path.of(System.getProperty("java.home"), "lib", "libjimage.so");
        assumeTrue(Files.exists(library), "needs Linux");
        return library;
    }

    @Test
    void findsWhatALibraryDefinesAndNotWhatItOnlyUses() throws IOException {
        try (ElfFile file = ElfFile.open(library(), "libjimage.so")) {
            assertThat(file.symbol("JIMAGE_Open")).isPresent();
            assertThat(file.symbol("JIMAGE_Ope")).isEmpty();
            assertThat(file.symbol("malloc")).isEmpty();
            assertThat(file.sectionAddress(".text")).isPresent();
            assertThat(file.sectionAddress(".none")).isEmpty();
        }
    }

    @Test
    void whatIsNoElfFileIsSaidToBeNone() throws IOException {
        Path text = Files.writeString(folder.resolve("text"), "#!/bin/sh\n".repeat(20));

        assertThatThrownBy(() -> ElfFile.open(text, "text").close())
                .hasMessageContaining("not a 64-bit little-endian ELF file");
    }

    @Test
    void damagedFilesGiveErrorsAndNothingElse() throws IOException {
        byte[] whole = Files.readAllBytes(library());
        Random random = new Random(20261121);
        int failures = 0;
        for (int i = 0; i < MUTATIONS; i++) {
            Path damaged = Files.write(folder.resolve("damaged"), damage(whole, random));
            failures += fails(damaged) ? 1 : 0;
        }
        assertThat(failures).isPositive().isLessThan(MUTATIONS);
    }

    /** Damage where the tables are described: in the header, and at the end, where the sections' headers are. */
    private static byte[] damage(byte[] whole, Random random) {
        byte[] damaged =
                random.nextInt(4) == 0 ? java.util.Arrays.copyOf(whole, random.nextInt(whole.length)) : whole.clone();
        for (int i = 0; i < 6 && damaged.length > 64; i++) {
            int at = random.nextBoolean()
                    ? 16 + random.nextInt(48)
                    : damaged.length - 1 - random.nextInt(Math.min(2000, damaged.length));
            damaged[at] = (byte) random.nextInt(256);
        }
        return damaged;
    }

    private static boolean fails(Path path) {
        try (ElfFile file = ElfFile.open(path, "damaged")) {
            file.base();
            file.symbol("JIMAGE_Open");
            file.sectionAddress(".text");
            return false;
        } catch (IOException e) {
            return true;
        }
    }
}
