package dev.leakline.result;

import dev.leakline.text.ByteSize;
import io.avaje.jsonb.Json;
import org.jspecify.annotations.Nullable;

/**
 * A change of the program that would lower a peak, and by how much: found by editing the recorded lifetimes and looking for the next highest moment.
 *
 * @param kind the change
 * @param site where to make it; null where it is no line's
 * @param expectedBytes by which the peak falls, for this change alone
 * @param newPeakBytes the peak then
 * @param leastBytes by which it falls at the least, negative where it may rise; a recording does not show all that decides it
 * @param mostBytes by which it falls at most; 0 in reports of before this was known
 * @param explanation what to do, and what it costs
 * @param width why it may be less or more than expected; empty where nothing is left open
 */
public record Lever(
        Kind kind,
        @Nullable Site site,
        long expectedBytes,
        long newPeakBytes,
        long leastBytes,
        long mostBytes,
        String explanation,
        String width) {
    /** Changes, by the effort that they are, least first. */
    public enum Kind {
        /** Forward passes that no backward pass follows keep no activations. */
        NO_GRAD("torch.no_grad()", 1),
        /** A backward pass frees what was saved for it. */
        FREE_GRAPH("backward() that frees its graph", 1),
        /** Each part of a loss has a backward pass of its own. */
        SPLIT_BACKWARD("backward() for each part of the loss", 1),
        /** Gradients are freed and not filled with zeros. */
        SET_TO_NONE("zero_grad(set_to_none=True)", 1),
        /** Results of passes are kept in CPU memory. */
        RESULTS_ON_HOST("results kept in CPU memory", 1),
        /** A tensor is let go where its step ends, not where its variable is set again. */
        DEL_TENSOR("del the tensor after its last use", 1),
        /** Gradients of tables have only the rows that were looked up. */
        SPARSE_GRADIENTS("sparse gradients of embeddings", 2),
        /** A stored model is let go once it was copied into the model. */
        FREE_STATE_DICT("delete the loaded state dict", 1),
        /** Only the last position's logits are computed. */
        LAST_LOGITS_ONLY("only the last logits", 1),
        /** Memory set aside for keys and values is no more than they need. */
        SHRINK_CACHE("smaller cache", 1),
        /** The optimizer works without temporaries. */
        FUSED_OPTIMIZER("optimizer with fused=True", 1),
        /** The optimizer takes one parameter at a time. */
        FOREACH_FALSE("optimizer with foreach=False", 1),
        /** The optimizer keeps less for each parameter. */
        LESS_OPTIMIZER_STATE("optimizer with less state", 2),
        /** Products are computed in half precision, with weights in full. */
        AUTOCAST("autocast", 2),
        /** Weights that are not trained are kept in half precision. */
        HALF_WEIGHTS("weights in half precision", 2),
        /** Activations are computed again in the backward pass. */
        CHECKPOINT("activation checkpointing", 2),
        /** The loss is computed in parts. */
        CHUNK_LOSS("loss in chunks", 2),
        /** The longest input is no longer than the others. */
        SHORTER_INPUT("shorter inputs", 3),
        /** Half the batch. */
        SMALLER_BATCH("half the batch", 3);

        private final String words;
        private final int effort;

        Kind(String words, int effort) {
            this.words = words;
            this.effort = effort;
        }

        /** How much more it must save to be tried before a change that costs nothing but a word: computing time and precision count twice, another training run thrice. */
        public int effort() {
            return effort;
        }
    }

    /** A change that saves so much; the least and the most are widened to what is expected where they do not contain it. */
    public static Lever of(
            Kind kind,
            @Nullable Site site,
            long newPeak,
            long least,
            long expected,
            long most,
            String explanation,
            String width) {
        return new Lever(
                kind, site, expected, newPeak, Math.min(least, expected), Math.max(most, expected), explanation, width);
    }

    /** The change in a line. */
    @Json.Property("sentence")
    public String sentence() {
        return kind.words + (site == null ? "" : " at " + site.brief()) + ": saves " + saved();
    }

    private String saved() {
        return leastBytes <= 0 && mostBytes > 0
                ? "up to " + ByteSize.format(mostBytes)
                : ByteSize.format(expectedBytes) + interval();
    }

    /** The least and the most, without a unit that they share with what is expected. */
    private String interval() {
        String low = ByteSize.format(leastBytes);
        String high = ByteSize.format(mostBytes);
        if (mostBytes == 0 || low.equals(high)) {
            return "";
        }
        String unit = unit(ByteSize.format(expectedBytes));
        boolean isShared = unit(low).equals(unit) && unit(high).equals(unit);
        return isShared ? " (" + number(low) + " to " + number(high) + ")" : " (" + low + " to " + high + ")";
    }

    private static String unit(String size) {
        return size.substring(size.indexOf(' ') + 1);
    }

    private static String number(String size) {
        return size.substring(0, size.indexOf(' '));
    }

    /** The change to make, and why it may save less or more. */
    @Json.Property("advice")
    public String advice() {
        return width.isEmpty() ? explanation : explanation + ". Range: " + width;
    }
}
