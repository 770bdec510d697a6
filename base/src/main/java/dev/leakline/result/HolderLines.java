package dev.leakline.result;

import dev.leakline.result.Holders.Cycle;
import dev.leakline.result.Holders.Growth;
import dev.leakline.result.Holders.Hop;
import dev.leakline.result.Holders.Verdict;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Describes the owner of memory in labelled lines: the owner, the path from it to memory, the reference to remove, what that frees. */
final class HolderLines {
    /** Objects that are named at either end of a path; those between are mostly links of one chain. */
    private static final int END = 5;

    private static final String ARROW = " \u2192 ";

    private HolderLines() {}

    /** The lines about a finding's owner. */
    static List<Line> of(FindingHolder holder) {
        List<Line> lines = new ArrayList<>();
        lines.add(new Line("held by", holder.sentence()));
        Cycle cycle = holder.cycle();
        if (cycle == null) {
            lines.add(new Line("path", way(holder)));
            blame("root ref", holder.path(), reason(holder.path()), lines);
        } else {
            lines.add(new Line("cycle", cycle.sentence()));
            lines.add(new Line("path", way(holder)));
            blame("cut at", cycle.hops(), "", lines);
        }
        lines.add(new Line("frees", frees(holder.group())));
        if (holder.growth() != null) {
            lines.add(new Line(holder.growth().hasGrown() ? "grew" : "did not grow", growth(holder.growth())));
        }
        return lines;
    }

    /** The references from the owner to memory, or around the cycle. */
    static String way(FindingHolder holder) {
        Cycle cycle = holder.cycle();
        return cycle == null
                ? path(holder.path())
                : path(cycle.hops()) + ARROW + cycle.hops().getFirst().label() + ": the first again";
    }

    private static String path(List<Hop> hops) {
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < hops.size(); i++) {
            if (i == END && hops.size() > 2 * END + 1) {
                i = hops.size() - END;
                parts.add("\u2026 " + (hops.size() - 2 * END) + " more \u2026");
            }
            Hop hop = hops.get(i);
            parts.add(i == 0 || hop.label().isEmpty() ? hop.text() : hop.label() + ": " + hop.text());
        }
        return String.join(ARROW, parts);
    }

    private static void blame(String label, List<Hop> hops, String reason, List<Line> lines) {
        String names = IntStream.range(0, hops.size())
                .filter(index -> hops.get(index).isSuspect())
                .mapToObj(index -> name(hops, index))
                .distinct()
                .collect(Collectors.joining(", "));
        if (!names.isEmpty()) {
            lines.add(new Line(label, names + reason));
        }
    }

    /** Why the first object that should be gone should be. */
    private static String reason(List<Hop> hops) {
        return hops.stream()
                .filter(hop -> hop.verdict() == Verdict.STUCK && !hop.reason().isEmpty())
                .map(hop -> ": " + hop.reason())
                .findFirst()
                .orElse("");
    }

    /** The name of a reference; that of an item has its container's, which in a cycle may stand at the end. */
    private static String name(List<Hop> hops, int index) {
        Hop before = hops.get((index + hops.size() - 1) % hops.size());
        String label = hops.get(index).label();
        return label.startsWith("[") ? before.label() + label : label;
    }

    /** How many cycles there are, and who frees them. */
    static String of(Cycle cycle) {
        boolean isOne = cycle.copies() == 1;
        String copies = isOne ? "one cycle" : Numbers.grouped(cycle.copies()) + " cycles";
        String end = cycle.isCollectable()
                ? "; Python's garbage collector frees " + (isOne ? "it" : "them") + " when it runs"
                : "; Python's garbage collector never frees " + (isOne ? "it" : "them")
                        + ": it does not see the autograd graph inside";
        return copies + " of " + Numbers.counted(cycle.objects(), "object") + (isOne ? "" : " each") + end;
    }

    /** The bytes that removing the reference frees. */
    static String frees(Holders.Group group) {
        String shared = group.sharedBytes() == 0
                ? ""
                : "; plus " + ByteSize.format(group.sharedBytes()) + " shared with other owners";
        return ByteSize.format(group.retainedBytes()) + shared;
    }

    /** How a group went from dump to dump. */
    static String growth(Growth growth) {
        String items = growth.items().getLast() < 0
                ? ""
                : "; items "
                        + row(growth.items().stream().map(HolderLines::count).toList());
        return row(growth.bytes().stream().map(ByteSize::format).toList()) + " from dump to dump" + items + "; "
                + Numbers.counted(growth.newStorages(), "new storage");
    }

    private static String count(long items) {
        return items < 0 ? "none" : Numbers.grouped(items);
    }

    private static String row(List<String> cells) {
        return String.join(", ", cells);
    }
}
