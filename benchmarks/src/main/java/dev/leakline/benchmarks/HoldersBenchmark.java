package dev.leakline.benchmarks;

import dev.leakline.columns.TextColumn;
import dev.leakline.holders.HolderAnalysis;
import dev.leakline.objects.DumpHeader;
import dev.leakline.objects.EdgeColumns;
import dev.leakline.objects.NodeColumns;
import dev.leakline.objects.ObjectGraph;
import dev.leakline.objects.ReferenceKind;
import dev.leakline.objects.StorageColumns;
import dev.leakline.objects.TensorColumns;
import dev.leakline.result.Holders;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/**
 * Finds who holds what in a generated heap, from the graph in memory to the groups: {@code HoldersBenchmark OBJECTS}, with three references an
 * object. Not one for JMH: a single pass, cold, is what a user waits for. Half of the objects are containers in a tree below a few
 * modules, a quarter is autograd nodes in long chains, and there are references across, cycles without owners, and tensors at the leaves.
 */
public final class HoldersBenchmark {
    private static final int MODULES = 50;
    private static final int CHAIN = 5_000;
    private static final int REFERENCES = 3;
    /** One object in so many is a tensor. */
    private static final int TENSORS = 40;

    private static final int DICT = 10;
    private static final int LIST = 11;
    private static final int AUTOGRAD = 9;
    private static final int MODULE = 1;
    private static final int TENSOR = 7;

    private HoldersBenchmark() {}

    /** Prints seconds and the heap that is needed. */
    public static void main(String[] arguments) {
        int objects = arguments.length == 0 ? 1_000_000 : Integer.parseInt(arguments[0]);
        long begin = System.nanoTime();
        ObjectGraph graph = graph(objects);
        long made = System.nanoTime();
        Holders holders = HolderAnalysis.run("benchmark", List.of("generated"), List.of(graph));
        long end = System.nanoTime();
        System.out.printf(
                Locale.ROOT,
                "%,d vertices, %,d edges: made in %.2f s, analysed in %.2f s; %,d groups, %,d cycles, %,d bytes; heap %,d MiB%n",
                graph.vertices(),
                graph.edges.size(),
                (made - begin) / 1e9,
                (end - made) / 1e9,
                holders.groups().size(),
                holders.cycles().size(),
                holders.totals().bytes(),
                (Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory()) >> 20);
    }

    private static ObjectGraph graph(int objects) {
        Random random = new Random(42);
        TextColumn texts = new TextColumn();
        for (String text : List.of(
                "", "dict", "list", "AddBackward0", "module", "Tensor", "float32", "[64]", "next_functions[0]")) {
            add(texts, text);
        }
        int names = texts.size();
        for (int i = 0; i < 1000; i++) {
            add(texts, "name" + i);
        }
        NodeColumns nodes = new NodeColumns();
        TensorColumns tensors = new TensorColumns();
        StorageColumns storages = new StorageColumns();
        for (int node = 0; node < objects; node++) {
            int kind = kind(node, objects);
            int type = kind == MODULE ? 4 : kind == TENSOR ? 5 : kind == AUTOGRAD ? 3 : kind == DICT ? 1 : 2;
            nodes.add(type, kind == MODULE ? names + node : 0, kind, -1, -1, 0);
            if (kind == TENSOR) {
                tensors.add(node, storages.size(), 6, 7, 0);
                storages.add(-1, 0, node, (long) node << 9, 512, -1, -1);
            }
        }
        return new ObjectGraph(header(), texts, nodes, tensors, storages, edges(objects, random, names), null, 0);
    }

    private static EdgeColumns.Draft edges(int objects, Random random, int names) {
        EdgeColumns.Draft edges = new EdgeColumns.Draft();
        int half = objects / 2;
        int garbage = objects - objects / 100;
        for (int node = MODULES; node < objects; node++) {
            boolean isChain = node >= half && node % 2 == 0 && node < garbage;
            int parent = node >= garbage
                    ? garbage + random.nextInt(node - garbage + 1)
                    : random.nextInt(Math.min(node, half));
            if (isChain && node % CHAIN > 1) {
                edges.add(node - 2, node, 8, ReferenceKind.AUTOGRAD);
            } else {
                edges.add(parent, node, names + random.nextInt(1000), ReferenceKind.TEXT_KEY);
            }
            for (int more = 1; more < REFERENCES; more++) {
                boolean isNear = random.nextInt(4) > 0;
                int target = isNear ? Math.min(node + 1 + random.nextInt(100), objects - 1) : random.nextInt(objects);
                boolean isOutside = node >= garbage || target < garbage;
                edges.add(node, isOutside ? target : node - 1, names + random.nextInt(1000), ReferenceKind.INDEX);
            }
        }
        return edges;
    }

    private static int kind(int node, int objects) {
        if (node < MODULES) {
            return MODULE;
        }
        if (node % TENSORS == 1) {
            return TENSOR;
        }
        return node >= objects / 2 && node % 2 == 0 ? AUTOGRAD : node % 3 == 0 ? DICT : LIST;
    }

    private static void add(TextColumn texts, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        texts.add(bytes, bytes.length);
    }

    private static DumpHeader header() {
        return new DumpHeader(
                "3.11.2",
                "2.14.1",
                "generated",
                "request",
                1,
                1,
                1,
                0,
                -1,
                -1,
                false,
                0,
                0,
                1,
                0,
                0,
                List.of(),
                "walked",
                "",
                Map.of(),
                List.of());
    }
}
