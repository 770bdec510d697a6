package dev.leakline.cli.serve;

import dev.leakline.result.AnalysisResult;
import dev.leakline.result.Finding;
import dev.leakline.text.Printable;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A file that may be a saved result, in short.
 *
 * @param file its path beneath the folder, with slashes
 * @param bytes its size
 * @param modified when it was written, in Unix milliseconds
 * @param verdict the verdict in a word; empty where the file is no result
 * @param sentence the answer in a sentence
 * @param findings the findings, most serious first
 */
record Run(String file, long bytes, long modified, String verdict, String sentence, List<Found> findings) {
    /** Characters of a text; a line of a table shows no more. */
    private static final int LONGEST = 300;
    /** Findings that are kept; a result has a few. */
    private static final int MOST = 100;

    /** A finding: its fingerprint, which is the same in every run, and what a table shows of it. */
    record Found(String id, String title, String place, long bytes, double bytesPerStep) {}

    static Run of(String file, long bytes, long modified, AnalysisResult result) {
        return new Run(
                file,
                bytes,
                modified,
                result.verdict().word(),
                Printable.of(result.headline(), LONGEST),
                result.findings().stream().limit(MOST).map(Run::found).toList());
    }

    private static Found found(Finding finding) {
        return new Found(
                Printable.of(finding.id(), LONGEST),
                Printable.of(finding.title(), LONGEST),
                Printable.of(finding.site().label(), LONGEST),
                finding.bytes(),
                finding.bytesPerStep());
    }

    boolean isResult() {
        return !verdict.isEmpty();
    }

    boolean has(String id) {
        return findings.stream().anyMatch(finding -> finding.id().equals(id));
    }

    void write(DataOutput out) throws IOException {
        out.writeUTF(file);
        out.writeLong(bytes);
        out.writeLong(modified);
        out.writeUTF(verdict);
        out.writeUTF(sentence);
        out.writeByte(findings.size());
        for (Found finding : findings) {
            out.writeUTF(finding.id);
            out.writeUTF(finding.title);
            out.writeUTF(finding.place);
            out.writeLong(finding.bytes);
            out.writeDouble(finding.bytesPerStep);
        }
    }

    static Run read(DataInput in) throws IOException {
        String file = in.readUTF();
        long bytes = in.readLong();
        long modified = in.readLong();
        String verdict = in.readUTF();
        String sentence = in.readUTF();
        int count = in.readUnsignedByte();
        List<Found> findings = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            findings.add(new Found(in.readUTF(), in.readUTF(), in.readUTF(), in.readLong(), in.readDouble()));
        }
        return new Run(file, bytes, modified, verdict, sentence, List.copyOf(findings));
    }
}
