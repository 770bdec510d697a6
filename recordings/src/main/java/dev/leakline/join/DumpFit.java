package dev.leakline.join;

import dev.leakline.columns.Action;
import dev.leakline.columns.BlockState;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.hash.SeededLongLongMap;
import dev.leakline.holders.HeldProcess;
import dev.leakline.objects.StorageColumns;

/** Computes how well a snapshot and a dump fit, to match ranks: how many of the dump's storages the snapshot ever had as blocks. */
public final class DumpFit {
    private static final long GONE = -1;

    private final SnapshotColumns columns;
    private final SeededLongLongMap missing = new SeededLongLongMap();
    private int found;

    private DumpFit(SnapshotColumns columns, StorageColumns storages) {
        this.columns = columns;
        for (int storage = 0; storage < storages.size(); storage++) {
            if (storages.device(storage) != StorageColumns.HOST && storages.bytes(storage) > 0) {
                missing.put(storages.address(storage), storages.bytes(storage));
            }
        }
    }

    /** Storages of a process that a snapshot ever had as blocks. */
    public static int storages(SnapshotColumns columns, HeldProcess process) {
        DumpFit fit = new DumpFit(columns, process.storages());
        fit.findBlocks();
        fit.findEvents();
        return fit.found;
    }

    private void findBlocks() {
        for (int block = 0; block < columns.blocks.size(); block++) {
            if (columns.blocks.state(block) != BlockState.INACTIVE) {
                find(columns.blocks.address(block), columns.blocks.requestedSize(block));
            }
        }
    }

    private void findEvents() {
        for (int event = 0; event < columns.events.size() && !missing.isEmpty(); event++) {
            if (columns.events.action(event) == Action.ALLOC) {
                find(columns.events.address(event), columns.events.size(event));
            }
        }
    }

    private void find(long address, long requested) {
        long bytes = missing.getOrDefault(address, GONE);
        if (bytes != GONE && DeviceStorages.isAsLarge(requested, bytes)) {
            missing.remove(address);
            found++;
        }
    }
}
