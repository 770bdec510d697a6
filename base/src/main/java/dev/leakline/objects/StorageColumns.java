package dev.leakline.objects;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.LongArrayList;

/** The pieces of memory that tensors share. */
public final class StorageColumns {
    /** Stands for the host in place of a device's ordinal. */
    public static final int HOST = -1;

    private final IntArrayList nodes = new IntArrayList();
    private final IntArrayList devices = new IntArrayList();
    private final LongArrayList keys = new LongArrayList();
    private final LongArrayList addresses = new LongArrayList();
    private final LongArrayList bytes = new LongArrayList();
    private final IntArrayList tensorReferences = new IntArrayList();
    private final IntArrayList references = new IntArrayList();

    /** Appends a storage, as the dump describes it. */
    public void add(int node, int device, long key, long address, long bytes, int tensorReferences, int references) {
        nodes.add(node);
        devices.add(device);
        keys.add(key);
        addresses.add(address);
        this.bytes.add(bytes);
        this.tensorReferences.add(tensorReferences);
        this.references.add(references);
    }

    /** Storages. */
    public int size() {
        return nodes.size();
    }

    /** The row of the Python object that stands for it, or -1. */
    public int node(int storage) {
        return nodes.get(storage);
    }

    /** The ordinal of its device, or {@link #HOST}. */
    public int device(int storage) {
        return devices.get(storage);
    }

    /** A key that is unique within a process for as long as the storage lives. */
    public long key(int storage) {
        return keys.get(storage);
    }

    /** Where its memory is. */
    public long address(int storage) {
        return addresses.get(storage);
    }

    /** Its size. */
    public long bytes(int storage) {
        return bytes.get(storage);
    }

    /** The sizes of all. */
    public long totalBytes() {
        long total = 0;
        for (int storage = 0; storage < size(); storage++) {
            total += bytes(storage);
        }
        return total;
    }

    /** C++'s count of references to its tensors, or {@link NodeColumns#UNKNOWN}. */
    public int tensorReferences(int storage) {
        return tensorReferences.get(storage);
    }

    /** C++'s count of references to it, or {@link NodeColumns#UNKNOWN}. */
    public int references(int storage) {
        return references.get(storage);
    }
}
