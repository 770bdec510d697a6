package dev.leakline.read.clue;

import static dev.leakline.read.clue.Amounts.NUMBER;
import static dev.leakline.read.clue.Amounts.UNIT;

import dev.leakline.source.Clue;
import dev.leakline.source.Clue.Kind;
import dev.leakline.text.ByteSize;
import dev.leakline.text.NaturalOrder;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads what each rank, device or node holds, or by how much it rose, as people write it: {@code node 0: 410 GB -> 730 GB, node 1: 408 -> 412 GB}. */
final class PeerSizes {
    private static final Pattern PEER =
            Pattern.compile("\\b(node|rank|gpu|cuda|card|worker|pod|host|npu|xpu)s?(?:[ _#:-]|\\[)?(\\d{1,4})\\b\\]?");
    private static final Pattern SIZES =
            Pattern.compile(NUMBER + UNIT + "?(?:\\s?(?:->|=>|-->|\u2192|to|then)\\s?" + NUMBER + UNIT + ")?");
    /** A message names its device and its sizes; those are told by it. */
    private static final Pattern MESSAGE = Pattern.compile("allocate|capacity|out of memory");
    /** Two may well differ; of three, one can be odd. */
    private static final int FEWEST = 3;
    /** What ranks differ by that do the same work. */
    private static final double NOTABLE = 0.05;

    private static final long LEAST = 256 * ByteSize.MIB;
    /** Two groups are apart where the gap between them is so many times as wide as either. */
    private static final int APART = 4;

    /** What one holds, and by how much it rose; -1 where only one reading is known. */
    private record Peer(String name, long last, long rise) {}

    /** One, and the bytes by which it is compared: what it rose by where that is known of all, else what it holds. */
    private record Compared(Peer peer, long bytes) {}

    private final Map<Integer, Peer> peers = new TreeMap<>();
    private @Nullable String word;
    private long line;

    /** Takes a line in small letters. */
    void take(String small, long number) {
        List<MatchResult> found = PEER.matcher(small).results().toList();
        if (found.isEmpty() || MESSAGE.matcher(small).find()) {
            return;
        }
        for (int i = 0; i < found.size(); i++) {
            int end = i + 1 < found.size() ? found.get(i + 1).start() : small.length();
            read(found.get(i), small.substring(found.get(i).end(), end), number);
        }
    }

    private void read(MatchResult peer, String behind, long number) {
        Matcher sizes = SIZES.matcher(behind);
        while (sizes.find()) {
            String unit = sizes.group(2) == null ? sizes.group(4) : sizes.group(2);
            long first = Amounts.bytes(sizes.group(1), unit);
            if (first > 0) {
                long last = Amounts.bytes(sizes.group(3), sizes.group(4));
                put(peer, last > 0 ? last : first, last > 0 ? last - first : -1, number);
                return;
            }
        }
    }

    private void put(MatchResult peer, long last, long rise, long number) {
        if (word == null) {
            word = peer.group(1);
            line = number;
        }
        if (word.equals(peer.group(1))) {
            int index = Integer.parseInt(peer.group(2));
            peers.put(index, new Peer(word + " " + index, last, rise));
        }
    }

    /** Those that hold, or rose by, clearly more than the others; empty where nobody does. */
    Optional<Clue> finish() {
        boolean areRises = peers.values().stream().allMatch(peer -> peer.rise() >= 0);
        List<Compared> sorted = peers.values().stream()
                .map(peer -> new Compared(peer, areRises ? peer.rise() : peer.last()))
                .sorted(Comparator.comparingLong(Compared::bytes))
                .toList();
        int first = 0;
        long widest = 0;
        for (int i = 1; i < sorted.size(); i++) {
            long gap = sorted.get(i).bytes() - sorted.get(i - 1).bytes();
            if (gap > widest) {
                widest = gap;
                first = i;
            }
        }
        if (sorted.size() < FEWEST || 2 * first < sorted.size() || widest < LEAST) {
            return Optional.empty();
        }
        List<Compared> others = sorted.subList(0, first);
        List<Compared> odd = sorted.subList(first, sorted.size());
        long within = Math.max(range(others), range(odd));
        boolean isClear = widest >= APART * within
                && widest
                        >= NOTABLE
                                * odd.stream()
                                        .mapToLong(one -> one.peer().last())
                                        .max()
                                        .orElse(0);
        return isClear ? Optional.of(clue(odd, others, widest, areRises)) : Optional.empty();
    }

    private Clue clue(List<Compared> odd, List<Compared> others, long gap, boolean areRises) {
        String names = odd.stream()
                .map(Compared::peer)
                .sorted(Comparator.comparing(Peer::name, NaturalOrder.NAMES))
                .map(Peer::name)
                .collect(Collectors.joining(" and "));
        String verb = areRises ? odd.size() == 1 ? " rises by " : " rise by " : odd.size() == 1 ? " holds " : " hold ";
        String text = names + verb + sizes(odd) + ", the others" + (areRises ? " by " : " ") + sizes(others);
        return new Clue(Kind.PEERS_HOLD_MORE, null, gap, line, text);
    }

    private static String sizes(List<Compared> sorted) {
        String low = ByteSize.format(sorted.getFirst().bytes());
        String high = ByteSize.format(sorted.getLast().bytes());
        return low.equals(high) ? low : low + " to " + high;
    }

    private static long range(List<Compared> sorted) {
        return sorted.getLast().bytes() - sorted.getFirst().bytes();
    }
}
