package dev.leakline.report;

import dev.leakline.report.terminal.Labels;
import dev.leakline.report.terminal.Page;
import dev.leakline.report.terminal.Style;
import dev.leakline.result.FindingHolder;
import dev.leakline.result.Holders.Cycle;
import dev.leakline.result.Holders.Group;
import dev.leakline.result.Holders.Growth;
import dev.leakline.result.Holders.Hop;
import dev.leakline.result.Holders.Verdict;
import dev.leakline.text.ByteSize;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Who holds a finding, in a few lines: the owner, the way from it to memory, the references to blame, what comes back. */
final class HolderText {
    /** Hops that are shown at either end of a way; what lies between are links of one chain. */
    private static final int END = 5;

    private final Page page;
    private final Style style;

    private HolderText(Page page, Style style) {
        this.page = page;
        this.style = style;
    }

    /** The holders of a finding: the first in full, the others in a line each. */
    static List<String> lines(List<FindingHolder> holders, Style style) {
        HolderText text = new HolderText(new Page(style), style);
        for (int i = 0; i < holders.size(); i++) {
            if (i == 0) {
                text.page.blank();
                text.first(holders.getFirst());
            } else {
                text.page.labelled("and by", FindingText.LABEL, owner(holders.get(i)));
            }
        }
        return text.page.lines();
    }

    private void first(FindingHolder holder) {
        Group group = holder.group();
        Cycle cycle = holder.cycle();
        page.labelled("held by", FindingText.LABEL, owner(holder));
        if (cycle == null) {
            page.labelled("path", FindingText.LABEL, way(group.path()));
            blame("to blame", group.path(), why(group.path()));
        } else {
            page.labelled("cycle", FindingText.LABEL, around(cycle));
            blame("cut at", cycle.hops(), "");
        }
        page.labelled("back", FindingText.LABEL, back(group));
        if (group.growth() != null) {
            page.labelled("grew", FindingText.LABEL, growth(group.growth()));
        }
    }

    private static String owner(FindingHolder holder) {
        return holder.title() + ": " + ByteSize.format(holder.findingBytes()) + " in "
                + Labels.count(holder.findingBlocks(), "block");
    }

    private String way(List<Hop> hops) {
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < hops.size(); i++) {
            if (i == END && hops.size() > 2 * END + 1) {
                i = hops.size() - END;
                parts.add(style.ellipsis() + " " + (hops.size() - 2 * END) + " more " + style.ellipsis());
            }
            parts.add(hop(hops.get(i), i == 0));
        }
        return String.join(style.isUnicode() ? " → " : " -> ", parts);
    }

    private static String hop(Hop hop, boolean isFirst) {
        return isFirst || hop.label().isEmpty() ? hop.text() : hop.label() + ": " + hop.text();
    }

    private String around(Cycle cycle) {
        String back = style.isUnicode() ? " → " : " -> ";
        String copies = cycle.copies() == 1 ? "" : Labels.count(cycle.copies()) + " times: ";
        String end = cycle.isCollectable()
                ? "; Python's garbage collector ends it when it runs"
                : "; Python's garbage collector does not see the autograd graph in it, and never ends it";
        return copies + way(cycle.hops()) + back + cycle.hops().getFirst().label() + ": the first again" + end;
    }

    private void blame(String label, List<Hop> hops, String why) {
        String names = IntStream.range(0, hops.size())
                .filter(index -> hops.get(index).isSuspect())
                .mapToObj(index -> name(hops, index))
                .distinct()
                .collect(Collectors.joining(", "));
        if (!names.isEmpty()) {
            page.labelled(label, FindingText.LABEL, names + why);
        }
    }

    /** Why the first object that should be gone should be. */
    private static String why(List<Hop> hops) {
        return hops.stream()
                .filter(hop -> hop.verdict() == Verdict.STUCK && !hop.reason().isEmpty())
                .map(hop -> ": " + hop.reason())
                .findFirst()
                .orElse("");
    }

    /** A reference by its name; an item's with that of its container, which in a cycle may stand at the end. */
    private static String name(List<Hop> hops, int index) {
        Hop before = hops.get((index + hops.size() - 1) % hops.size());
        String label = hops.get(index).label();
        return label.startsWith("[") ? before.label() + label : label;
    }

    private static String back(Group group) {
        String shared = group.sharedBytes() == 0
                ? ""
                : "; " + ByteSize.format(group.sharedBytes()) + " is its share of what others hold as well";
        return ByteSize.format(group.retainedBytes()) + " if it goes" + shared;
    }

    private static String growth(Growth growth) {
        boolean hasItems = growth.items().getLast() >= 0;
        return row(growth.bytes(), true) + " from dump to dump"
                + (hasItems ? "; items " + row(growth.items(), false) : "") + "; "
                + Labels.count(growth.newStorages(), "new storage");
    }

    /** A number of each dump; there are no items where nothing was held yet. */
    static String row(List<Long> values, boolean isBytes) {
        List<String> cells = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            long value = values.get(i);
            cells.add(isBytes ? ByteSize.format(value) : value < 0 ? "none" : Labels.count(value));
        }
        return String.join(", ", cells);
    }
}
