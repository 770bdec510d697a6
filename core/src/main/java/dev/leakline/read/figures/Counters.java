package dev.leakline.read.figures;

import dev.leakline.read.terms.NumberToken;
import dev.leakline.read.terms.WordSenses;

/**
 * The numbers of a line that say where its figures belong: steps, epochs, ranks, devices.
 *
 * <p>{@code step 50}, {@code iter: 50}, {@code Epoch [1][50/7330]} (mmcv, torchvision), {@code Train: [1/300][50/1251]} (Swin), {@code 50/100 [00:10<}
 * (tqdm), {@code after 50 iterations} (Megatron), {@code cuda:0}, {@code GPU 0}, {@code rank 3}. What counts something else, such as the steps of a
 * warm-up or the size of a batch, has words that say so.
 */
final class Counters {
    private static final int MOST_DEVICES = 1024;
    private static final int COUNTED =
            WordSenses.STEP | WordSenses.BATCH | WordSenses.EPOCH | WordSenses.RANK | WordSenses.DEVICE;
    private static final int OTHERS = WordSenses.NO_STEP | WordSenses.NEVER | WordSenses.TOTAL;

    private final NameGroup group;
    private char[] text = new char[0];
    private double step;
    private double stepTotal;
    private boolean isBatch;
    private double epoch;
    private int device;
    private int deviceEnd;
    private int stepEnd;
    private String rank = "";

    Counters(NameGroup group) {
        this.group = group;
    }

    void beginLine(char[] line) {
        text = line;
        step = Double.NaN;
        isBatch = false;
        epoch = Double.NaN;
        device = -1;
        deviceEnd = -1;
        stepEnd = -1;
        rank = "";
    }

    /** Whether a number right behind a word of these senses counts something. */
    boolean isCounted(int senses) {
        return WordSenses.has(senses, COUNTED);
    }

    /** Takes a number without a unit if it is one of these; the words before it are forgotten then, unless they are about memory. */
    boolean take(NumberToken token) {
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
            return step(token.number(), Double.NaN, false);
        }
        if (WordSenses.has(last, WordSenses.BATCH) && hasPoint(token)) {
            return false; // fairseq's update is a fraction of an epoch
        }
        if (WordSenses.has(last, WordSenses.STEP | WordSenses.BATCH)) {
            double total = isOfAll ? Double.NaN : token.total();
            stepEnd = isOther ? stepEnd : token.end();
            return !isOther && token.isWhole() && step(token.number(), total, WordSenses.has(last, WordSenses.BATCH));
        }
        if (WordSenses.has(last, WordSenses.EPOCH)) {
            epoch = isOther ? epoch : token.number();
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
    private boolean step(double number, double total, boolean ofBatch) {
        if (Double.isNaN(step) || (isBatch && !ofBatch)) {
            step = number;
            stepTotal = total;
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
        if (!token.isWhole()) {
            return false;
        }
        int next = NumberToken.skipBlanks(text, token.end(), text.length);
        char before = previous(token.from());
        boolean isFollowed = next < text.length && text[next] == ']' && next + 1 < text.length && text[next + 1] == '[';
        boolean isEpoch = token.hasTotal() || WordSenses.has(group.senses(), WordSenses.EPOCH);
        if (before == '[' && isFollowed && isEpoch && Double.isNaN(epoch)) {
            epoch = token.number();
            return true;
        }
        char behind = next < text.length ? text[next] : ' ';
        boolean isPart = before == '[' ? behind == ']' || behind == '(' : before == '|' && behind == '[';
        return isPart && token.hasTotal() && Double.isNaN(step) && step(token.number(), token.total(), false);
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
                && step(token.number(), Double.NaN, false);
    }

    /** What nobody has a word for: {@code VRAM after file 3: 4.6 GB}. */
    private boolean afterAny(NumberToken token) {
        boolean isNamed = WordSenses.has(group.senses(), WordSenses.AFTER) && !WordSenses.has(group.last(), OTHERS);
        boolean isCount = isNamed && token.isWhole() && !token.hasTotal();
        return isCount
                && token.end() < text.length
                && text[token.end()] == ':'
                && step(token.number(), Double.NaN, true);
    }

    /** Tells where the line is. */
    void tell(Whereabouts whereabouts) {
        if (!Double.isNaN(epoch)) {
            whereabouts.epoch(epoch);
        }
        if (!Double.isNaN(step)) {
            whereabouts.step(step, Double.isNaN(stepTotal) ? 0 : stepTotal);
        }
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
