package dev.leakline.holders;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.objects.ObjectGraph;
import dev.leakline.result.Holders.Growth;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Follows each group of the last dump of a process through those before. */
final class GroupHistory {
    private final List<ObjectGraph> graphs;
    private final List<HeldDump> dumps;
    private final HeldDump last;

    /** Follows the groups of some dumps, in the order of time. */
    GroupHistory(List<HeldDump> dumps) {
        this.graphs = dumps.stream().map(dump -> dump.graph).toList();
        this.dumps = dumps;
        this.last = dumps.getLast();
    }

    /** Returns whether a group rises from dump to dump. */
    Trend trend(GatheredGroup gathered) {
        Growth growth = growth(gathered);
        if (growth == null) {
            return Trend.NONE;
        }
        boolean isPile = last.items(gathered) >= 0;
        List<Long> steps = graphs.stream().map(graph -> graph.header.step()).toList();
        return Trend.of(isPile ? growth.items() : growth.bytes(), steps, growth.isSteady(), isPile ? "items" : "bytes");
    }

    /** The growth of a group from dump to dump; null for a single one. */
    @Nullable
    Growth growth(GatheredGroup gathered) {
        if (dumps.size() < 2) {
            return null;
        }
        long[] bytes = new long[dumps.size()];
        long[] storages = new long[dumps.size()];
        long[] items = new long[dumps.size()];
        for (int i = 0; i < dumps.size(); i++) {
            GatheredGroup then = dumps.get(i).groups.get(gathered.place.path());
            bytes[i] = then == null ? 0 : then.bytes;
            storages[i] = then == null ? 0 : then.storages.size();
            items[i] = then == null ? -1 : dumps.get(i).items(then);
        }
        return new Growth(
                list(bytes), list(storages), list(items), fresh(gathered).size(), rises(storages) && rises(bytes));
    }

    private static List<Long> list(long[] numbers) {
        return Arrays.stream(numbers).boxed().toList();
    }

    /** The storages of a group that the dump before does not have, of another process all; none where there is no dump before. */
    IntArrayList fresh(GatheredGroup gathered) {
        IntArrayList fresh = new IntArrayList();
        for (int i = 0; dumps.size() > 1 && i < gathered.storages.size(); i++) {
            int storage = gathered.storages.get(i);
            if (!dumps.get(dumps.size() - 2).keys.contains(last.graph.storages.key(storage))) {
                fresh.add(storage);
            }
        }
        return fresh;
    }

    private static boolean rises(long[] values) {
        for (int i = 1; i < values.length; i++) {
            if (values[i] <= values[i - 1]) {
                return false;
            }
        }
        return true;
    }
}
