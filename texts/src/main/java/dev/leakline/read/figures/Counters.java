package dev.leakline.read.figures;

import dev.leakline.read.terms.NumberToken;
import dev.leakline.read.terms.WordSenses;
import dev.leakline.text.Ascii;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of a line that say where its figures belong: steps, epochs, ranks, devices.
 *
 * <p>{@code step 50}, {@code iter: 50}, {@code Epoch [1][50/7330]} (mmcv, torchvision), {@code Train: [1/300][50/1251]} (Swin), {@code 50/100 [00:10<}
 * (tqdm), {@code after 50 iterations} (Megatron), {@code cuda:0}, {@code GPU 0}, {@code rank 3}. What counts something else, such as the steps of a
 * warm-up or the size of a batch, has words that say so.
 */
final class Counters {
    private static final int MOST_DEVICES = 1024;
    /** Numbers of so many digits are smaller. */
    private static final int MOST_DIGITS = 3;

    private static final int COUNTED =
            WordSenses.STEP | WordSenses.BATCH | WordSenses.EPOCH | WordSenses.RANK | WordSenses.DEVICE;
    private static final int OTHERS = WordSenses.NO_STEP | WordSenses.NEVER | WordSenses.TOTAL;

    private final NameGroup group;
    private char[] text = new char[0];
    private @Nullable NumberToken step;
    private boolean hasTotal;
    private boolean isBatch;
    private @Nullable NumberToken epoch;
    private boolean isByValue;
    private int device;
    private int deviceEnd;
    private int stepEnd;
    private String rank = "";

    Counters(NameGroup group) {
        this.group = group;
    }

    void beginLine(char[] line) {
        text = line;
        step = null;
        isBatch = false;
        epoch = null;
        isByValue = false;
        device = -1;
        deviceEnd = -1;
        stepEnd = -1;
        rank = "";
    }

    /** Returns whether a number right behind a word of these senses counts something. */
    boolean isCounted(int senses) {
        return WordSenses.has(senses, COUNTED);
    }

    /** Takes a number without a unit if it is one of these; the words before it are forgotten then, unless they are about memory. */
    boolean take(NumberToken token) {
        isByValue |= isByValue(token);
        boolean isTaken = byWord(token) || byBrackets(token) || behindAfter(token) || afterAny(token);
        if (isTaken && !WordSenses.has(group.senses(), WordSenses.MEMORY | WordSenses.ALLOCATED)) {
            group.clear();
        }
        return isTaken;
    }

    private boolean byWord(NumberToken token) {
        int last = group.last();
        boolean isOfAll = WordSenses.has(group.senses(), WordSenses.PEAK); // global_step/max_steps: 50/7330
        boolean isOther = WordSenses.has(group.senses(), OTHERS) || (isOfAll && !token.hasTotal());
        if (WordSenses.has(last, WordSenses.BATCH) && isUpdates()) {
            return step(token, false, false);
        }
        if (WordSenses.has(last, WordSenses.BATCH) && hasPoint(token)) {
            return false; // fairseq's update is a fraction of an epoch
        }
        if (WordSenses.has(last, WordSenses.STEP | WordSenses.BATCH)) {
            stepEnd = isOther ? stepEnd : token.end();
            return !isOther && token.isWhole() && step(token, !isOfAll, WordSenses.has(last, WordSenses.BATCH));
        }
        if (WordSenses.has(last, WordSenses.EPOCH)) {
            epoch = isOther ? epoch : token;
            stepEnd = isOther ? stepEnd : token.end();
            return !isOther;
        }
        return token.isWhole() && !token.hasTotal() && token.number() < MOST_DEVICES && place(last, token);
    }

    /** fairseq's steps. */
    private boolean isUpdates() {
        return group.text(text).endsWith("num_updates");
    }

    private boolean hasPoint(NumberToken token) {
        for (int i = token.from(); i < token.end(); i++) {
            if (text[i] == '.') {
                return true;
            }
        }
        return false;
    }

    /** Steps count more than batches, and what comes first more than what comes later. */
    private boolean step(NumberToken token, boolean isOfWhole, boolean ofBatch) {
        if (step == null || (isBatch && !ofBatch)) {
            step = token;
            hasTotal = isOfWhole && token.hasTotal();
            isBatch = ofBatch;
        }
        return true;
    }

    private boolean place(int last, NumberToken token) {
        if (WordSenses.has(last, WordSenses.RANK)) {
            rank = "rank " + (long) token.number();
            return true;
        }
        boolean isDevice = WordSenses.has(last, WordSenses.DEVICE) && !WordSenses.has(last, WordSenses.MEMORY);
        device = isDevice ? (int) token.number() : device;
        deviceEnd = isDevice ? token.end() : deviceEnd;
        return isDevice;
    }

    /** A part of a whole in brackets, or before those of a progress bar: an epoch, if another part follows at once, else a step. */
    private boolean byBrackets(NumberToken token) {
        if (!token.isWhole() || group.isMoved()) {
            return false;
        }
        int next = Ascii.endOfBlanks(text, token.end(), text.length);
        char before = previous(token.from());
        boolean isFollowed = next < text.length && text[next] == ']' && next + 1 < text.length && text[next + 1] == '[';
        boolean isEpoch = token.hasTotal() || WordSenses.has(group.senses(), WordSenses.EPOCH);
        if (before == '[' && isFollowed && isEpoch && epoch == null) {
            epoch = token;
            return true;
        }
        char behind = next < text.length ? text[next] : ' ';
        boolean isPart = before == '[' ? behind == ']' || behind == '(' : before == '|' && behind == '[';
        return isPart && token.hasTotal() && step == null && step(token, true, false);
    }

    private char previous(int from) {
        int at = from - 1;
        while (at >= 0 && text[at] == ' ') {
            at--;
        }
        return at < 0 ? ' ' : text[at];
    }

    private boolean behindAfter(NumberToken token) {
        boolean isAfter = WordSenses.has(group.last(), WordSenses.AFTER) && token.isWhole();
        return isAfter
                && WordSenses.has(token.sensesBehind(text, text.length), WordSenses.STEP)
                && step(token, false, false);
    }

    /** Takes the counter of a unit without a word: {@code VRAM after file 3: 4.6 GB}. */
    private boolean afterAny(NumberToken token) {
        boolean isNamed = WordSenses.has(group.senses(), WordSenses.AFTER) && !WordSenses.has(group.last(), OTHERS);
        boolean isCount = isNamed && token.isWhole() && !token.hasTotal();
        return isCount && token.end() < text.length && text[token.end()] == ':' && step(token, false, true);
    }

    /** Tells where the line is. */
    void tell(Whereabouts whereabouts) {
        if (epoch != null) {
            whereabouts.epoch(epoch.number());
        }
        if (step != null) {
            whereabouts.step(step.number(), hasTotal ? step.total() : 0);
        }
    }

    /** Returns whether it depends on how large a number is, or whether it is a whole one, what it counts; all else depends on the form of the line. */
    private boolean isByValue(NumberToken token) {
        int digits = token.from();
        while (digits < text.length && Ascii.isDigit(text[digits])) {
            digits++;
        }
        boolean mayBeWhole =
                digits < text.length && (text[digits] == '.' || text[digits] == 'e' || text[digits] == 'E');
        char before = previous(token.from());
        boolean isCounted = isCounted(group.last()) || WordSenses.has(group.senses(), WordSenses.AFTER);
        return (mayBeWhole && (isCounted || before == '[' || before == '|'))
                || (WordSenses.has(group.last(), WordSenses.RANK | WordSenses.DEVICE)
                        && digits - token.from() > MOST_DIGITS);
    }

    /** Returns whether all lines of the form of this one are where it is, but for their numbers. */
    boolean isByForm() {
        return !isByValue;
    }

    /** Where the number of the epoch begins, -1 where none was named. */
    int epochAt() {
        return epoch == null ? -1 : epoch.from();
    }

    /** Where the number of the step begins, -1 where none was named. */
    int stepAt() {
        return step == null ? -1 : step.from();
    }

    /** Returns whether the step is one of a whole. */
    boolean hasTotal() {
        return hasTotal;
    }

    /** The device named last, -1 where none was. */
    int device() {
        return device;
    }

    /** Where the number of the device named last ends, -1 where none was. */
    int deviceEnd() {
        return deviceEnd;
    }

    /** Where the number of the step or epoch named last ends, -1 where none was. */
    int stepEnd() {
        return stepEnd;
    }

    /** The rank, such as {@code rank 3}; empty where none was named. */
    String rank() {
        return rank;
    }
}
