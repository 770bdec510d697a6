package dev.leakline.holders;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.objects.ObjectGraph;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The bytes that tensors show of their storages: less than the storages have where all that is kept of them are views of a part. The tensor
 * that a view was made from is kept by the view alone, so that no object refers to it.
 */
final class ViewSizes {
    /** Bytes of an element; of types that are not here, a tensor is taken for all of its storage. */
    private static final Map<String, Integer> ELEMENT = Map.ofEntries(
            Map.entry("bool", 1),
            Map.entry("uint8", 1),
            Map.entry("int8", 1),
            Map.entry("int16", 2),
            Map.entry("float16", 2),
            Map.entry("bfloat16", 2),
            Map.entry("int32", 4),
            Map.entry("float32", 4),
            Map.entry("int64", 8),
            Map.entry("float64", 8),
            Map.entry("complex64", 8));

    private static final Pattern NUMBER = Pattern.compile("\\d+");

    private final ObjectGraph graph;
    /** The bytes of the largest tensor of each storage, -1 where a tensor shows all of it, or nobody knows. */
    private final long[] largest;

    ViewSizes(ObjectGraph graph) {
        this.graph = graph;
        this.largest = new long[graph.storages.size()];
        for (int tensor = 0; tensor < graph.tensors.size(); tensor++) {
            int storage = graph.tensors.storage(tensor);
            long size = size(tensor);
            if (graph.edges.references(graph.tensors.node(tensor)) > 0) {
                largest[storage] = size < 0 || largest[storage] < 0 ? -1 : Math.max(largest[storage], size);
            }
        }
    }

    /** The bytes that tensors show of some storages; the whole of those without a tensor of known size. */
    long bytes(IntArrayList storages) {
        long sum = 0;
        for (int i = 0; i < storages.size(); i++) {
            int storage = storages.get(i);
            long whole = graph.storages.bytes(storage);
            sum += largest[storage] > 0 ? Math.min(largest[storage], whole) : whole;
        }
        return sum;
    }

    private long size(int tensor) {
        Integer element = ELEMENT.get(graph.texts.get(graph.tensors.type(tensor)));
        if (element == null) {
            return -1;
        }
        long size = element;
        for (Matcher number = NUMBER.matcher(graph.texts.get(graph.tensors.shape(tensor))); number.find(); ) {
            size = size > Integer.MAX_VALUE
                    ? size
                    : size * Math.min(Long.parseLong(clip(number.group())), Integer.MAX_VALUE);
        }
        return size;
    }

    /** Digits enough for any dimension; shapes come from a file. */
    private static String clip(String digits) {
        return digits.length() > 15 ? digits.substring(0, 15) : digits;
    }
}
