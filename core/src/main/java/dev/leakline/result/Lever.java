package dev.leakline.result;

import dev.leakline.text.ByteSize;
import io.avaje.jsonb.Json;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A change of the program that would lower a peak, and by how much: found by editing the recorded lifetimes and looking for the next highest moment.
 *
 * @param kind the change
 * @param site where to make it; null where it is no line's
 * @param expectedBytes by which the peak falls, for this change alone
 * @param newPeakBytes the peak then
 * @param explanation what to do, and what it costs
 */
public record Lever(Kind kind, @Nullable Site site, long expectedBytes, long newPeakBytes, String explanation) {
    /** Changes, by the effort that they are, least first. */
    public enum Kind {
        /** Forward passes that no backward pass follows keep no activations. */
        NO_GRAD,
        /** Gradients are freed and not filled with zeros. */
        SET_TO_NONE,
        /** A stored model is let go once it was copied into the model. */
        FREE_STATE_DICT,
        /** Only the last position's logits are computed. */
        LAST_LOGITS_ONLY,
        /** The optimizer works without temporaries. */
        FUSED_OPTIMIZER,
        /** The optimizer takes one parameter at a time. */
        FOREACH_FALSE,
        /** Activations are computed again in the backward pass. */
        CHECKPOINT,
        /** The loss is computed in parts. */
        CHUNK_LOSS,
        /** The longest input is no longer than the others. */
        SHORTER_INPUT,
        /** Half the batch. */
        SMALLER_BATCH
    }

    /** The change in a line. */
    @Json.Property("sentence")
    public String sentence() {
        return kind.name().toLowerCase(Locale.ROOT).replace('_', ' ') + (site == null ? "" : " at " + site.brief())
                + ": about " + ByteSize.format(expectedBytes) + " less";
    }
}
