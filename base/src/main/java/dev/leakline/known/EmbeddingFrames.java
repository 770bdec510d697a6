package dev.leakline.known;

import java.util.Set;

/** The frames that show rows of a table being looked up. */
public final class EmbeddingFrames {
    private static final String BAG = "embedding_bag";
    private static final Set<String> FUNCTIONS = Set.of("embedding", BAG);

    private EmbeddingFrames() {}

    /** Returns whether a frame is one of PyTorch's lookups. */
    public static boolean looksUp(String file, String function) {
        return FUNCTIONS.contains(function) && file.replace('\\', '/').endsWith("torch/nn/functional.py");
    }

    /** Returns whether it is a lookup that gives sums of rows. */
    public static boolean addsUp(String file, String function) {
        return function.equals(BAG) && looksUp(file, function);
    }
}
