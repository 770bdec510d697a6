package dev.leakline.holders;

import dev.leakline.objects.DumpHeader;
import dev.leakline.objects.ObjectGraph;
import dev.leakline.text.ByteSize;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Lists in sentences what dumps could not see. */
final class BlindSpots {
    private BlindSpots() {}

    static List<String> of(List<ObjectGraph> dumps, List<String> late) {
        List<String> sentences = new ArrayList<>();
        late.forEach(
                name -> sentences.add(
                        name
                                + " is left out: an earlier dump says more; since then functions had returned, or most memory was freed."));
        DumpHeader last = dumps.getLast().header;
        if (!dumps.stream().allMatch(dump -> SameProcess.isSame(dumps.getFirst(), dump))) {
            sentences.add(
                    "The dumps are from different processes: groups are compared by who holds them, not storage by storage.");
        }
        if (last.isInherited()) {
            sentences.add(
                    "The dump is from a forked child process: its tensors are copies of the parent's objects, and the"
                            + " memory belongs to the parent.");
        }
        if (!last.isGraphRead()) {
            sentences.add("The autograd graph was not read: " + reason(last)
                    + ". Memory that only the graph holds is shown as held by native code, or by an unknown owner.");
        }
        if (last.graph().equals("cut")) {
            sentences.add("Only part of the autograd graph was read: " + reason(last) + ".");
        }
        if (last.frozen() > 0) {
            sentences.add(String.format(
                    Locale.ROOT,
                    "gc.freeze() hides %,d objects from the collector; some references may be missing.",
                    last.frozen()));
        }
        if (last.collectingRuns() > 0) {
            sentences.add(String.format(
                    Locale.ROOT,
                    "The garbage collector freed %s of device memory in %,d runs: the program depends on it.",
                    ByteSize.format(last.collectedBytes()),
                    last.collectingRuns()));
        }
        sentences.addAll(last.notes());
        return List.copyOf(sentences);
    }

    private static String reason(DumpHeader header) {
        return header.graphReason().isEmpty() ? "the probe does not say why" : header.graphReason();
    }
}
