package dev.leakline.levers;

import com.carrotsearch.hppc.IntObjectHashMap;
import dev.leakline.result.Site;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The lines of a program that call its models, by what they make. */
final class ForwardLines {
    /** The share of what all lines make that makes one worth naming beside the main one. */
    private static final double NAMED = 0.05;

    private final PeakScene scene;
    private final IntObjectHashMap<Site> byStack = new IntObjectHashMap<>();
    private final Map<Site, Long> bytes = new HashMap<>();
    private @Nullable Site main;
    private long largest;
    private long all;

    ForwardLines(PeakScene scene) {
        this.scene = scene;
    }

    /** Takes a block that a forward pass made. */
    void add(int allocation) {
        Site line = line(allocation);
        long size = scene.size(allocation);
        all += size;
        if (line != null) {
            bytes.merge(line, size, Long::sum);
        }
        if (size > largest) {
            largest = size;
            main = line;
        }
    }

    private @Nullable Site line(int allocation) {
        int stack = scene.lifetimes.stack(allocation);
        if (!byStack.containsKey(stack)) {
            byStack.put(stack, scene.caller(allocation));
        }
        return byStack.get(stack);
    }

    /** The line that makes the largest block; null where no line makes it. */
    @Nullable
    Site main() {
        return main;
    }

    /** The others in words, largest first. */
    String others() {
        return bytes.entrySet().stream()
                .filter(entry -> !entry.getKey().equals(main) && entry.getValue() >= NAMED * all)
                .sorted(Map.Entry.<Site, Long>comparingByValue().reversed().thenComparing(Map.Entry.comparingByKey()))
                .map(entry -> " and that at " + entry.getKey().inWords())
                .collect(Collectors.joining());
    }
}
