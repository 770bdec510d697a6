package dev.leakline.holders;

import dev.leakline.objects.DumpHeader;
import dev.leakline.objects.ObjectGraph;
import dev.leakline.text.ByteSize;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What dumps could not see, in sentences. */
final class BlindSpots {
    private BlindSpots() {}

    static List<String> of(List<ObjectGraph> dumps, List<String> late) {
        List<String> sentences = new ArrayList<>();
        late.forEach(
                name -> sentences.add(name + " is left out: most of what the process had was gone when it was made."));
        DumpHeader last = dumps.getLast().header;
        if (!dumps.stream().allMatch(dump -> SameProcess.isSame(dumps.getFirst(), dump))) {
            sentences.add(
                    "The dumps are of different processes: groups are compared by how they are held, single storages are not.");
        }
        if (last.isInherited()) {
            sentences.add(
                    "The dump is of a forked child: the tensors are copies of its parent's objects, whose memory is the parent's.");
        }
        if (last.graph().equals("skipped")) {
            sentences.add("The autograd graph was not looked at: " + reason(last)
                    + ". What only it holds is shown as held by native code, or as held by nobody that can be seen.");
        }
        if (last.graph().equals("cut")) {
            sentences.add("The autograd graph was looked at in part: " + reason(last) + ".");
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
                    "The garbage collector gave back %s of device memory in %,d runs: the program depends on it.",
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
