package dev.leakline.testkit.pickle;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Values that take every path through the writers. */
final class Trees {
    private Trees() {}

    static Map<String, Object> all() {
        Map<String, Object> trees = new LinkedHashMap<>();
        trees.put("one", 1);
        trees.put("ints", ints());
        trees.put("bigints", bigints());
        trees.put(
                "floats",
                List.of(
                        0.0,
                        -0.0,
                        1.0,
                        -2.5,
                        0.1,
                        1e-4,
                        9.999e-5,
                        1e15,
                        1e16,
                        1.5e300,
                        Double.MIN_VALUE,
                        2e-323,
                        1e22,
                        123456789.125));
        trees.put("constants", Arrays.asList(true, false, null));
        trees.put("texts", texts());
        trees.put("tuples", tuples());
        trees.put("lists", sizes().mapToObj(Trees::list).toList());
        trees.put("dicts", sizes().mapToObj(Trees::dict).toList());
        trees.put("shared", shared());
        trees.put(
                "frames", IntStream.range(0, 30_000).mapToObj(i -> "frame " + i).toList());
        trees.put("large", List.of("a", "x".repeat(65_535), "y".repeat(65_536), "z".repeat(200_000), "b"));
        return trees;
    }

    private static IntStream sizes() {
        return IntStream.of(0, 1, 2, 999, 1000, 1001, 1002, 2000, 2001);
    }

    private static List<Object> ints() {
        List<Object> ints = new ArrayList<>();
        for (int bits = 0; bits < 63; bits++) {
            long power = 1L << bits;
            ints.addAll(List.of(power - 1, power, power + 1, -power + 1, -power, -power - 1));
        }
        ints.addAll(List.of(Long.MAX_VALUE, Long.MIN_VALUE, 7));
        return ints;
    }

    private static List<Object> bigints() {
        BigInteger half = BigInteger.ONE.shiftLeft(63);
        return List.of(half, half.negate(), half.shiftLeft(1), half.shiftLeft(2).negate(), BigInteger.TEN);
    }

    private static List<Object> texts() {
        String euro = "\u20ac";
        return List.of(
                "",
                "",
                "a",
                "a",
                "\u00e9",
                "\u00e9",
                euro,
                "\u00e9t\u00e9",
                "\ud83d\ude00",
                "tab\tback\\slash\nline\r\0\u001a\u007f",
                "C:\\new\\file.py",
                "x".repeat(255),
                "x".repeat(256),
                euro.repeat(85),
                euro.repeat(86),
                "twice",
                "twice");
    }

    private static List<Object> tuples() {
        PyTuple pair = PyTuple.of(0, 1);
        return List.of(
                PyTuple.of(),
                PyTuple.of(),
                PyTuple.of(1),
                pair,
                pair,
                PyTuple.of(1, 2, 3),
                PyTuple.of(1, 2, 3, "four"));
    }

    private static Object shared() {
        List<Object> list = List.of(1, 2);
        Map<String, Object> dict = Map.of("list", list);
        return List.of(list, dict, list, dict, List.of(dict), Map.of("list", 3));
    }

    private static Object list(int size) {
        return IntStream.range(0, size).boxed().toList();
    }

    private static Object dict(int size) {
        Map<String, Object> dict = new LinkedHashMap<>();
        IntStream.range(0, size).forEach(i -> dict.put("key " + i, i));
        return dict;
    }
}
