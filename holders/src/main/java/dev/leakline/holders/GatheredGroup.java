package dev.leakline.holders;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.IntHashSet;
import dev.leakline.holders.ReferencePath.Step;
import java.util.List;

/** The storages of one place, while they are gathered. */
final class GatheredGroup {
    final HeldPlace place;
    final HeldFrom from;
    final IntArrayList storages = new IntArrayList();
    /** The objects at which the place begins. */
    final IntHashSet anchors = new IntHashSet();

    final IntArrayList anchorOrder = new IntArrayList();
    long bytes;

    GatheredGroup(HeldPlace place, HeldFrom from) {
        this.place = place;
        this.from = from;
    }

    /** The step of a path to an item of the container at which the place begins, else to one of any container; -1 where there is none. */
    int item(List<Step> steps, Naming naming) {
        int first = -1;
        for (int i = 1; i < steps.size(); i++) {
            boolean isItem =
                    steps.get(i).edge() >= 0 && naming.isItem(steps.get(i).edge());
            if (isItem && anchors.contains(steps.get(i - 1).target())) {
                return i;
            }
            first = isItem && first < 0 ? i : first;
        }
        return first;
    }

    void add(int storage, int anchor, long size) {
        storages.add(storage);
        bytes += size;
        if (anchors.add(anchor)) {
            anchorOrder.add(anchor);
        }
    }
}
