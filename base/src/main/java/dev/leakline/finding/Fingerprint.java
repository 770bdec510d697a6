package dev.leakline.finding;

import dev.leakline.primitive.Digest;
import dev.leakline.result.Finding.Kind;
import dev.leakline.result.Frame;
import java.util.List;

/**
 * A finding's id: the same bug has the same in every run, on every rank, with every batch size, and after edits elsewhere in the
 * file. So it is made of the kind of finding and of the functions on the way to the line, with the names of their files but not their
 * folders; no line number, address or size.
 */
public final class Fingerprint {
    private Fingerprint() {}

    /** The id of a finding, from the user's calls that lead to it, outermost first. */
    public static String of(Kind kind, List<Frame> path) {
        StringBuilder text = new StringBuilder(kind.name());
        for (Frame frame : path) {
            text.append('\n').append(frame.fileName()).append(' ').append(frame.function());
        }
        return Digest.of(text.toString());
    }
}
