package dev.leakline.holders;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.IntHashSet;

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

    void add(int storage, int anchor, long size) {
        storages.add(storage);
        bytes += size;
        if (anchors.add(anchor)) {
            anchorOrder.add(anchor);
        }
    }
}
