package dev.leakline.join;

import dev.leakline.hash.SeededLongIntMap;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.objects.StorageColumns;

/** The storages of a holder dump that are on one device, by where they are. */
final class DeviceStorages {
    static final int NONE = -1;

    /** The allocator rounds up to this, and some recordings know requests only as they were rounded. */
    private static final long ROUNDING = 512;

    private final StorageColumns storages;
    private final SeededLongIntMap rows = new SeededLongIntMap();

    DeviceStorages(StorageColumns storages, int device) {
        this.storages = storages;
        for (int storage = 0; storage < storages.size(); storage++) {
            if (storages.device(storage) == device && storages.bytes(storage) > 0) {
                rows.putIfAbsent(storages.address(storage), storage);
            }
        }
    }

    /** Storages. */
    int count() {
        return rows.size();
    }

    /** The storage that an allocation is: at the same place, and as large; {@link #NONE} where none is. */
    int of(Lifetimes lifetimes, int allocation) {
        int storage = rows.getOrDefault(lifetimes.address(allocation), NONE);
        return storage != NONE && isAsLarge(lifetimes.requested(allocation), storages.bytes(storage)) ? storage : NONE;
    }

    /** Returns whether a request and the storage that came of it may be the same. */
    static boolean isAsLarge(long requested, long bytes) {
        return bytes <= requested && requested - bytes < ROUNDING;
    }
}
