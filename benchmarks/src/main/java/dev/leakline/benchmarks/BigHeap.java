package dev.leakline.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Makes the holder dump of a large process: {@code BigHeap OBJECTS OUT.holders}, with three references an object.
 *
 * <p>Most of it is one tree below fifty modules, of instances, dictionaries and lists. Beside its place in the tree each object refers to
 * two more: to what owns it, one to three levels up, as in most programs; to one of those that everything shares, of which some are far
 * more popular than others; to a neighbour; or, one time in ten, to just any. A tenth of the objects is autograd's, in chains. One in a
 * hundred belongs to a cycle that nothing else refers to. Tensors, some in a thousand, are leaves of the tree.
 *
 * <p>Places are counted from the modules on, as a search from there would meet them; the dump has them the other way round, as the probe
 * does, which begins at the tensors.
 */
public final class BigHeap {
    private static final int MODULES = 50;
    /** How many children ten objects that stand together have: a large dictionary, instances of one each, and so on. */
    private static final int[] CHILDREN = {20, 1, 1, 1, 1, 2, 0, 5, 3, 1};

    private static final int FAMILY = 35;
    /** Nodes of one step's graph. */
    private static final int CHAIN = 2_000;
    /** Objects of a cycle. */
    private static final int CYCLE = 4;

    private static final int TENSOR_EVERY = 250;
    /** Objects that everything shares, such as configurations and devices. */
    private static final int SHARED = 50_000;
    /** One object in so many is held by native code as well. */
    private static final int NATIVE_EVERY = 1_000_003;

    /** Kinds of objects, as the format numbers them; the text of a kind's type has the row of that number. */
    private static final int MODULE = 1;

    private static final int TENSOR = 7;
    private static final int AUTOGRAD = 9;
    private static final int DICT = 10;
    private static final int LIST = 11;
    private static final int SAMPLE = 12;
    private static final int FLOAT = 13;
    private static final int SHAPE = 14;
    private static final int NEXT = 15;
    private static final int FIRST_INDEX = 16;
    private static final int INDICES = 1_000;
    private static final int FIRST_NAME = FIRST_INDEX + INDICES;
    private static final int NAMES = 100_000;

    /** Kinds of references. */
    private static final int ATTRIBUTE = 1;

    private static final int TEXT_KEY = 2;
    private static final int INDEX = 4;
    private static final int GRADIENT = 8;
    private static final int HAS_GRAPH = 8;

    private final int objects;
    /** Where chains begin, and where cycles: places in the tree end at the first. */
    private final int chains;

    private final int cycles;

    private BigHeap(int objects) {
        this.objects = objects;
        this.cycles = objects - objects / 100 / CYCLE * CYCLE;
        this.chains = cycles - objects / 10;
    }

    /** Takes references as they are made up. */
    private interface References {
        void add(int from, int to, int label, int kind) throws IOException;
    }

    /** The command. */
    public static void main(String[] arguments) throws IOException {
        if (arguments.length != 2 || !arguments[0].matches("[1-9]\\d{5,7}")) {
            System.err.println("Usage: BigHeap OBJECTS OUT.holders, of 100,000 objects or more");
            System.exit(2);
        }
        try (SectionOutput out = new SectionOutput(Files.newOutputStream(Path.of(arguments[1])))) {
            new BigHeap(Integer.parseInt(arguments[0])).write(out);
        }
    }

    private void write(SectionOutput out) throws IOException {
        byte[] header =
                ("{\"schema\": \"leakline.holders/1\", \"python\": \"3.11.2\", \"torch\": \"2.14.1\", \"argv0\":"
                                + " \"generated.py\", \"pid\": 4242, \"time_us\": 1, \"graph\": \"walked\"}")
                        .getBytes(StandardCharsets.US_ASCII);
        out.text("LKLHOLD1");
        out.ints(header.length);
        out.bytes(header);
        texts(out);
        int[] counts = new int[objects];
        int[] edges = new int[1];
        references((_, to, _, _) -> {
            counts[to]++;
            edges[0]++;
        });
        out.begin("NODE", 24L * objects);
        for (int place = objects - 1; place >= 0; place--) {
            node(out, place, counts[place]);
        }
        out.end();
        memory(out);
        out.begin("EDGE", 16L * edges[0]);
        references((from, to, label, kind) -> out.ints(row(from), row(to), label, kind));
        out.end();
        out.begin("DONE", 0);
        out.end();
    }

    private int row(int place) {
        return objects - 1 - place;
    }

    private static void texts(SectionOutput out) throws IOException {
        List<String> texts = new ArrayList<>(List.of(
                "",
                "module",
                "",
                "",
                "",
                "",
                "",
                "Tensor",
                "",
                "AddBackward0",
                "dict",
                "list",
                "Sample",
                "float32",
                "[8]",
                "next_functions[0]"));
        for (int i = 0; i < INDICES; i++) {
            texts.add(String.valueOf(i));
        }
        for (int i = 0; i < NAMES; i++) {
            texts.add("name" + i);
        }
        out.begin(
                "STRS", 4 + texts.stream().mapToLong(text -> 4 + text.length()).sum());
        out.ints(texts.size());
        for (String text : texts) {
            out.ints(text.length());
            out.text(text);
        }
        out.end();
    }

    private int kind(int place) {
        if (place < MODULES) {
            return MODULE;
        }
        if (place >= chains && place < cycles) {
            return AUTOGRAD;
        }
        int kin = place % 20;
        return isTensor(place) ? TENSOR : kin < 8 ? DICT : kin < 13 ? LIST : SAMPLE;
    }

    private boolean isTensor(int place) {
        boolean isLeaf = (place >= chains / 2 && place < chains) || place >= cycles;
        return isLeaf && place % TENSOR_EVERY == 0;
    }

    /** Tensors of the tree; those of cycles come after them. */
    private int living() {
        return (chains - 1) / TENSOR_EVERY - (chains / 2 - 1) / TENSOR_EVERY;
    }

    private int tensors() {
        return living() + (objects - 1) / TENSOR_EVERY - (cycles - 1) / TENSOR_EVERY;
    }

    private int tensor(int number) {
        int first = number < living() ? chains / 2 : cycles;
        return ((first - 1) / TENSOR_EVERY + 1 + number - (number < living() ? 0 : living())) * TENSOR_EVERY;
    }

    private void node(SectionOutput out, int place, int references) throws IOException {
        int kind = kind(place);
        int text = kind == MODULE ? FIRST_NAME + place : 0;
        boolean isContainer = kind == DICT || kind == LIST;
        int surplus = place % NATIVE_EVERY == NATIVE_EVERY - 1 ? 1 : 0;
        boolean hasGraph = kind == TENSOR && chainOf(place) >= 0;
        out.ints(
                kind,
                text,
                kind == SAMPLE ? 0 : kind,
                isContainer ? lastChild(place) - firstChild(place) : -1,
                kind == AUTOGRAD ? -1 : references + surplus,
                hasGraph ? HAS_GRAPH : 0);
    }

    private void memory(SectionOutput out) throws IOException {
        out.begin("TENS", 20L * tensors());
        for (int tensor = 0; tensor < tensors(); tensor++) {
            out.ints(row(tensor(tensor)), tensor, FLOAT, SHAPE, chainOf(tensor(tensor)) < 0 ? 0 : AUTOGRAD);
        }
        out.end();
        out.begin("STOR", 40L * tensors());
        for (int tensor = 0; tensor < tensors(); tensor++) {
            out.ints(-1, 0);
            out.number(tensor + 1L);
            out.number((tensor + 1L) << 21);
            out.number((tensor % 7 + 1L) << 18);
            out.ints(1, 1);
        }
        out.end();
    }

    /** The chain that a tensor was computed by, negative for none. */
    private int chainOf(int place) {
        if (place >= cycles) {
            return -1;
        }
        int number = (place - tensor(0)) / TENSOR_EVERY;
        return number < (cycles - chains) / CHAIN ? number : -1;
    }

    private int firstChild(int place) {
        int child = MODULES + place / CHILDREN.length * FAMILY;
        for (int i = 0; i < place % CHILDREN.length; i++) {
            child += CHILDREN[i];
        }
        return Math.min(child, chains);
    }

    private int lastChild(int place) {
        return Math.min(firstChild(place) + CHILDREN[place % CHILDREN.length], chains);
    }

    private static int parent(int place) {
        int parent = (place - MODULES) / FAMILY * CHILDREN.length;
        for (int left = (place - MODULES) % FAMILY; left >= CHILDREN[parent % CHILDREN.length]; parent++) {
            left -= CHILDREN[parent % CHILDREN.length];
        }
        return parent;
    }

    /** All references, by what has them; the same every time. */
    private void references(References to) throws IOException {
        Random random = new Random(42);
        for (int place = objects - 1; place >= 0; place--) {
            if (place >= cycles) {
                inCycle(to, place, random);
            } else if (place >= chains) {
                inChain(to, place, random);
            } else {
                inTree(to, place, random);
            }
        }
    }

    private void inCycle(References to, int place, Random random) throws IOException {
        int first = place - (place - cycles) % CYCLE;
        to.add(place, place + 1 < first + CYCLE ? place + 1 : first, name(random), ATTRIBUTE);
        to.add(place, first + random.nextInt(CYCLE), name(random), ATTRIBUTE);
        to.add(place, tensor(random.nextInt(living())), name(random), ATTRIBUTE);
    }

    private void inChain(References to, int place, Random random) throws IOException {
        if ((place - chains) % CHAIN != CHAIN - 1 && place + 1 < cycles) {
            to.add(place, place + 1, NEXT, GRADIENT);
        }
        to.add(place, tensor(random.nextInt(living())), name(random), GRADIENT);
        to.add(place, tensor((place - chains) % living()), name(random), GRADIENT);
    }

    private void inTree(References to, int place, Random random) throws IOException {
        int kind = kind(place);
        for (int child = firstChild(place); child < lastChild(place); child++) {
            boolean isList = kind == LIST;
            int label = isList ? FIRST_INDEX + child - firstChild(place) : name(random);
            to.add(place, child, label, isList ? INDEX : kind == DICT || kind == MODULE ? TEXT_KEY : ATTRIBUTE);
        }
        if (kind == TENSOR && chainOf(place) >= 0) {
            to.add(place, chains + chainOf(place) * CHAIN, FIRST_NAME, GRADIENT);
        }
        if (place >= MODULES) {
            to.add(place, other(place, random), name(random), ATTRIBUTE);
            to.add(place, other(place, random), name(random), ATTRIBUTE);
        }
    }

    private int other(int place, Random random) {
        int chance = random.nextInt(20);
        if (chance < 7) {
            int owner = place;
            for (int level = random.nextInt(3); level >= 0 && parent(owner) >= MODULES; level--) {
                owner = parent(owner);
            }
            return owner;
        }
        if (chance < 14) {
            return MODULES + (int) (SHARED * Math.pow(random.nextDouble(), 3));
        }
        int near = chance < 18 ? place + random.nextInt(1000) - 500 : random.nextInt(chains);
        return Math.clamp(near, MODULES, chains - 1);
    }

    private static int name(Random random) {
        return FIRST_NAME + random.nextInt(NAMES);
    }
}
