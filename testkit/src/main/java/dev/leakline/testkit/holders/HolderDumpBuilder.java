package dev.leakline.testkit.holders;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * Describes who refers to whom in a Python process, and writes the dump that the probe would. Counts of references are those of the
 * references described, unless an {@link Item} says otherwise.
 */
public final class HolderDumpBuilder {
    private record Edge(Item from, Item to, String label, int kind) {}

    private record Tensor(Item item, Storage storage, String shape) {}

    /** Device memory that tensors share. */
    public record Storage(int device, long key, long bytes, int references) {}

    private final List<Item> items = new ArrayList<>();
    private final List<Edge> edges = new ArrayList<>();
    private final List<Tensor> tensors = new ArrayList<>();
    private final List<Storage> storages = new ArrayList<>();
    private final Map<Storage, Item> storageObjects = new HashMap<>();
    private final Map<String, String> header = new LinkedHashMap<>();
    private @Nullable Random shuffle;
    private long nextKey = 0x7f00_0000_0000L;

    /** A dump of a process 4242 at step 30. */
    public HolderDumpBuilder() {
        header("schema", "\"leakline.holders/1\"")
                .header("probe", "\"1\"")
                .header("python", "\"3.11.2\"")
                .header("torch", "\"2.14.1\"")
                .header("pid", "4242")
                .header("started_us", "1700000000000000")
                .header("time_us", "1700000060000000")
                .header("pause_ms", "210")
                .header("argv0", "\"train.py\"")
                .header("rank", "null")
                .header("step", "30")
                .header("reason", "\"request\"")
                .header("objects", "100000")
                .header("gc", "{\"collections\": [9, 3, 1], \"gpu_bytes_freed\": 0, \"runs_that_freed\": 0}")
                .header("graph", "\"walked\"")
                .header("notes", "[]");
    }

    /** Sets a property of the header to a piece of JSON. */
    public HolderDumpBuilder header(String name, String json) {
        header.put(name, json);
        return this;
    }

    /** Writes rows in another order. */
    public HolderDumpBuilder shuffled(long seed) {
        shuffle = new Random(seed);
        return this;
    }

    /** An object of any kind, by the dump's number. */
    public Item item(int kind, String type) {
        Item item = new Item(this, kind, type);
        items.add(item);
        return item;
    }

    /** An object that is nothing else. */
    public Item object(String type) {
        return item(0, type);
    }

    /** A module. */
    public Item module(String name) {
        return item(1, "module").text(name);
    }

    /** A class. */
    public Item type(String name) {
        return item(2, "type").text(name);
    }

    /** The frame of a running call, such as {@code main (train.py:30)}. */
    public Item running(String call) {
        return item(3, "frame").text(call);
    }

    /** The frame of a generator that waits. */
    public Item suspended(String call) {
        return item(4, "generator").text(call);
    }

    /** The frame of a call that is over. */
    public Item finished(String call) {
        return item(5, "frame").text(call);
    }

    /** A function. */
    public Item function(String name) {
        return item(6, "function").text(name);
    }

    /** An autograd node. */
    public Item autograd(String name) {
        return item(9, name).uncounted();
    }

    /** A dictionary. */
    public Item dict(int length) {
        return item(10, "dict").length(length);
    }

    /** A list. */
    public Item list(int length) {
        return item(11, "list").length(length);
    }

    /** A tuple. */
    public Item tuple(int length) {
        return item(12, "tuple").length(length);
    }

    /** An instance of {@code torch.nn.Module}. */
    public Item network(String type) {
        return item(16, type);
    }

    /** An optimizer. */
    public Item optimizer(String type) {
        return item(17, type);
    }

    /** An exception. */
    public Item exception(String type) {
        return item(19, type);
    }

    /** Memory of device 0. */
    public Storage storage(long bytes) {
        return storage(bytes, nextKey += 4096, -1);
    }

    /** Memory of device 0 that has a key, and a count of references. */
    public Storage storage(long bytes, long key, int references) {
        return storage(0, bytes, key, references);
    }

    /** The same of any device, -1 for the host. */
    public Storage storage(int device, long bytes, long key, int references) {
        Storage storage = new Storage(device, key, bytes, references);
        storages.add(storage);
        return storage;
    }

    /** A tensor with memory of its own. */
    public Item tensor(String shape, long bytes) {
        return view(shape, storage(bytes));
    }

    /** A tensor on memory that others may share. */
    public Item view(String shape, Storage storage) {
        Item item = item(7, "Tensor");
        tensors.add(new Tensor(item, storage, shape));
        return item;
    }

    /** The Python object of memory. */
    public Item storageObject(Storage storage) {
        Item item = item(8, "torch.storage.UntypedStorage");
        storageObjects.put(storage, item);
        return item;
    }

    /** A parameter of a module, under {@code _parameters}. */
    public Item parameter(Item network, String name, long bytes) {
        Item parameter = tensor("[" + bytes / 4 + "]", bytes).flags(1 | 4);
        Item parameters = dict(1).key(name, parameter);
        network.attribute("_parameters", parameters);
        return parameter;
    }

    void edge(Item from, Item to, String label, int kind) {
        edges.add(new Edge(from, to, label, kind));
    }

    /** The whole file. */
    public byte[] write() {
        if (shuffle != null) {
            Collections.shuffle(items, shuffle);
            Collections.shuffle(edges, shuffle);
            Collections.shuffle(tensors, shuffle);
            Collections.shuffle(storages, shuffle);
        }
        Texts texts = new Texts();
        Map<Object, Integer> rows = rows();
        Map<Item, Integer> known = new HashMap<>();
        Map<Item, String> graphs = new HashMap<>();
        for (Edge edge : edges) {
            known.merge(edge.to, 1, Integer::sum);
            if (edge.label.equals("grad_fn")) {
                graphs.putIfAbsent(edge.from, edge.to.type);
            }
        }
        byte[] nodes =
                section("NODE", bytes -> items.forEach(item -> node(bytes, item, known.getOrDefault(item, 0), texts)));
        byte[] views = section(
                "TENS",
                bytes -> tensors.forEach(
                        tensor -> tensor(bytes, tensor, graphs.getOrDefault(tensor.item, ""), rows, texts)));
        byte[] memory = section("STOR", bytes -> storages.forEach(storage -> storage(bytes, storage, rows)));
        byte[] references = section(
                "EDGE",
                bytes -> edges.forEach(edge ->
                        ints(bytes, row(rows, edge.from), row(rows, edge.to), texts.row(edge.label), edge.kind)));
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        file.writeBytes("LKLHOLD1".getBytes(StandardCharsets.US_ASCII));
        byte[] json = json();
        ints(file, json.length);
        file.writeBytes(json);
        file.writeBytes(section("STRS", texts::write));
        List.of(nodes, views, memory, references, section("DONE", _ -> {})).forEach(file::writeBytes);
        return file.toByteArray();
    }

    /** A section of the file: its tag, its length, what it holds and the sum. */
    public static byte[] section(String tag, Consumer<ByteArrayOutputStream> content) {
        ByteArrayOutputStream payload = new ByteArrayOutputStream();
        content.accept(payload);
        CRC32 sum = new CRC32();
        sum.update(payload.toByteArray());
        ByteArrayOutputStream section = new ByteArrayOutputStream();
        section.writeBytes(tag.getBytes(StandardCharsets.US_ASCII));
        longs(section, payload.size());
        section.writeBytes(payload.toByteArray());
        ints(section, (int) sum.getValue());
        return section.toByteArray();
    }

    private byte[] json() {
        List<String> properties = new ArrayList<>();
        header.forEach((name, value) -> properties.add("\"" + name + "\": " + value));
        return ("{" + String.join(", ", properties) + "}").getBytes(StandardCharsets.UTF_8);
    }

    private Map<Object, Integer> rows() {
        Map<Object, Integer> rows = new HashMap<>();
        for (int row = 0; row < items.size(); row++) {
            rows.put(items.get(row), row);
        }
        for (int row = 0; row < storages.size(); row++) {
            rows.put(storages.get(row), row);
        }
        return rows;
    }

    private static int row(Map<Object, Integer> rows, Object of) {
        Integer row = rows.get(of);
        if (row == null) {
            throw new IllegalArgumentException("it belongs to another dump");
        }
        return row;
    }

    private static void node(ByteArrayOutputStream bytes, Item item, int known, Texts texts) {
        int references = item.isCounted ? known + item.surplus : -1;
        ints(bytes, texts.row(item.type), texts.row(item.text), item.kind, item.length, references, item.flags);
    }

    private static void tensor(
            ByteArrayOutputStream bytes, Tensor tensor, String graph, Map<Object, Integer> rows, Texts texts) {
        ints(
                bytes,
                row(rows, tensor.item),
                row(rows, tensor.storage),
                texts.row("float32"),
                texts.row(tensor.shape),
                texts.row(graph));
    }

    private void storage(ByteArrayOutputStream bytes, Storage storage, Map<Object, Integer> rows) {
        Item object = storageObjects.get(storage);
        ints(bytes, object == null ? -1 : row(rows, object), storage.device);
        longs(bytes, storage.key, storage.key << 4, storage.bytes);
        ints(bytes, -1, storage.references);
    }

    static void ints(ByteArrayOutputStream bytes, int... values) {
        ByteBuffer buffer = ByteBuffer.allocate(values.length * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        buffer.asIntBuffer().put(values);
        bytes.writeBytes(buffer.array());
    }

    private static void longs(ByteArrayOutputStream bytes, long... values) {
        ByteBuffer buffer = ByteBuffer.allocate(values.length * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        buffer.asLongBuffer().put(values);
        bytes.writeBytes(buffer.array());
    }

    /** The texts of a dump, each once. */
    private static final class Texts {
        private final Map<String, Integer> rows = new LinkedHashMap<>(Map.of("", 0));

        int row(String text) {
            return rows.computeIfAbsent(text, _ -> rows.size());
        }

        void write(ByteArrayOutputStream bytes) {
            ints(bytes, rows.size());
            rows.keySet().forEach(text -> {
                byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
                ints(bytes, utf8.length);
                bytes.writeBytes(utf8);
            });
        }
    }
}
