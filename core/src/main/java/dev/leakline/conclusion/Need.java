package dev.leakline.conclusion;

import dev.leakline.cases.CaseTexts;
import dev.leakline.cases.CaseTexts.Placed;
import dev.leakline.source.Clue.Kind;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import java.util.Optional;

/**
 * What a training of all parameters needs by arithmetic, where somebody asks why it does not fit.
 *
 * @param model what tells the parameters
 * @param states bytes of weights, gradients and AdamW's two states
 * @param logits bytes of a forward pass's logits; 0 where batch, length or vocabulary is not known
 * @param tokens tokens of a batch, 0 likewise
 * @param device bytes of the device
 */
record Need(Placed model, long states, long logits, long tokens, long device) {
    /** Four in float32, or two in half precision with a copy of the weights in float32: 16 bytes either way. */
    private static final int BYTES_PER_PARAMETER = 16;
    /** Losses are computed in float32. */
    private static final int BYTES_PER_LOGIT = 4;

    /** The need; empty where the text does not tell it, trains only adapters, or is about a server. */
    static Optional<Need> of(CaseTexts texts) {
        long device = texts.most(Kind.CARD);
        boolean isTraining = texts.has(Kind.TRAINS) && !texts.has(Kind.VLLM);
        if (device == 0 || !isTraining || texts.has(Kind.ADAPTERS)) {
            return Optional.empty();
        }
        long tokens = texts.most(Kind.BATCH) * texts.most(Kind.LENGTH);
        return texts.clue(Kind.PARAMETERS)
                .map(model -> new Need(
                        model,
                        BYTES_PER_PARAMETER * model.clue().bytes(),
                        BYTES_PER_LOGIT * tokens * texts.most(Kind.VOCABULARY),
                        tokens,
                        device));
    }

    String sentence() {
        String head = "weights, gradients and AdamW's states of "
                + Numbers.grouped(model.clue().bytes() / 1_000_000) + " million parameters take "
                + ByteSize.format(states) + " (16 bytes each)";
        String tail = logits == 0
                ? " before activations"
                : "; logits of " + Numbers.grouped(tokens) + " tokens " + ByteSize.format(logits)
                        + " in float32, and their gradient as much";
        return head + tail + "; there are " + ByteSize.format(device);
    }

    /** Whether the logits are more of it than the states. */
    boolean isOfLogits() {
        return 2 * logits > states;
    }
}
