package dev.leakline.bundle;

import dev.leakline.Input;
import dev.leakline.Input.Demand;
import dev.leakline.InputSource;
import dev.leakline.source.LimitedInput;
import dev.leakline.source.ReadException;
import dev.leakline.source.ReadException.Code;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipInputStream;

/**
 * Reads an archive back that {@link CaseBundle} wrote, or that somebody made to look like one. Nothing of it is written to disk or run, so names of
 * entries are names and no more; how many entries and bytes are read is bounded.
 */
public final class BundleFile {
    /** A case has as many files as {@code explain} reads of a folder, and a few of ours. */
    private static final int MOST_ENTRIES = 512;
    /** Bytes of all entries, unpacked; what is bigger is no excerpt, and a kilobyte of a zip can hold a megabyte of zeros. */
    private static final int MOST_BYTES = 256 << 20;

    private static final int MAGIC = 0x504b0304;

    private BundleFile() {}

    /** Returns whether a file is such an archive, by its first entry. */
    public static boolean isOne(Path file) {
        if (!Files.isRegularFile(file)) {
            return false;
        }
        try (InputStream in = Files.newInputStream(file)) {
            byte[] head = in.readNBytes(30 + CaseBundle.MANIFEST.length());
            int magic = head.length < 30 ? 0 : head[0] << 24 | head[1] << 16 | head[2] << 8 | head[3];
            String name =
                    new String(head, Math.min(30, head.length), Math.max(head.length - 30, 0), StandardCharsets.UTF_8);
            return magic == MAGIC && name.equals(CaseBundle.MANIFEST);
        } catch (IOException e) {
            return false;
        }
    }

    /** The report in an archive; where there is none, its texts. */
    public static List<Input> read(Path file) throws IOException {
        List<Input> texts = new ArrayList<>();
        try (ZipInputStream zip = new ZipInputStream(Files.newInputStream(file), StandardCharsets.UTF_8)) {
            InputStream content = new LimitedInput(zip, MOST_BYTES);
            int count = 0;
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                if (++count > MOST_ENTRIES) {
                    throw new ReadException(Code.LIMIT, -1, "it has more than " + MOST_ENTRIES + " entries");
                }
                String name = file.getFileName() + ": " + entry.getName();
                if (entry.getName().equals(CaseFiles.REPORT)) {
                    return List.of(Input.open(InputSource.of(name, content), Demand.EVIDENCE));
                }
                if (entry.getName().endsWith(".txt") && !entry.getName().equals(CaseBundle.MANIFEST)) {
                    texts.add(Input.open(InputSource.of(name, content), Demand.ANYTHING));
                }
                content.transferTo(OutputStream.nullOutputStream());
            }
        } catch (EOFException | ZipException | IllegalArgumentException e) {
            String reason = e instanceof EOFException || e.getMessage() == null ? "it ends early" : e.getMessage();
            throw new ReadException(Code.DAMAGED, -1, "the archive is damaged: " + reason);
        }
        return texts;
    }
}
