package dev.leakline.join;

import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Kind;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;

/** Lists in sentences what a dump cannot show about findings. */
final class DumpNotes {
    /** From this share of a finding's bytes on, that nothing seen holds it is worth a word; less is what libraries need for themselves. */
    private static final double WORTH_TELLING = 0.05;

    private DumpNotes() {}

    /** The sentences, in the order of the findings; {@code parts} has what was live of each. */
    static List<String> of(List<Finding> findings, IdentityHashMap<Finding, HeldBlocks> parts) {
        List<String> notes = new ArrayList<>();
        for (Finding finding : findings) {
            HeldBlocks blocks = parts.get(finding);
            if (blocks != null && finding.kind() != Kind.OOM) {
                note(finding, blocks, notes);
            }
        }
        return notes;
    }

    private static void note(Finding finding, HeldBlocks blocks, List<String> notes) {
        if (blocks.blocks() == 0) {
            notes.add(gone(finding));
        } else if (blocks.unseen().bytes() >= WORTH_TELLING * blocks.bytes()) {
            notes.add(unseen(finding, blocks));
        }
    }

    private static String gone(Finding finding) {
        String what = "Nothing that " + finding.site().inWords() + " allocated was live when the dump was written";
        return finding.kind() == Kind.REFERENCE_CYCLE
                ? what + ": the garbage collector had just run. Take a dump at another moment."
                : what + ". Take a dump while it is live: leakline run --at step:N, or leakline attach.";
    }

    private static String unseen(Finding finding, HeldBlocks blocks) {
        int unseen = blocks.unseen().blocks();
        return ByteSize.format(blocks.unseen().bytes()) + " of what "
                + finding.site().inWords() + " allocated, in "
                + unseen + " of " + Numbers.counted(blocks.blocks(), "block")
                + ", belong to no Python tensor: PyTorch or a library keeps them, such as a cuBLAS workspace.";
    }
}
