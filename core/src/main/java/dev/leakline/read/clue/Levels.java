package dev.leakline.read.clue;

import static dev.leakline.read.clue.Amounts.NUMBER;
import static dev.leakline.read.clue.Amounts.UNIT;

import dev.leakline.result.Conclusion.Resource;
import dev.leakline.source.Clue;
import dev.leakline.source.Clue.Kind;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads from a sentence how much is in use, free, there in all, or allowed: {@code about 20GB used of 24}, {@code RTX 3090 (24 GB)}. */
final class Levels {
    private static final Pattern USED_OF =
            Pattern.compile("(?:" + NUMBER + UNIT + "?(?: [a-z]{1,8}){0,2}? (?:of|out of|/) (?:the |my )?" + NUMBER
                    + UNIT + ")|(?:" + NUMBER + UNIT + " ?(?:/) ?" + NUMBER + UNIT + ")");
    /** What a monitor of devices says in a sentence. */
    private static final Pattern MONITOR = Pattern.compile(
            "\\b(?:nvidia-smi|nvitop|gpustat|rocm-smi|task manager)\\b[^.\\d]{0,40}?\\b(?:says?|shows?|reports?|said|has|is|at)\\b[^.\\d]{0,20}?"
                    + NUMBER + UNIT);

    private static final Pattern FREE = Pattern.compile(NUMBER + UNIT
            + "(?: of [a-z]{1,8})?(?: [a-z]{1,8}){0,2}? (?:free|available|left|unused)\\b(?:,? (?:out )?of (?:the |my |its )?"
            + NUMBER + UNIT + ")?");
    private static final Pattern USED =
            Pattern.compile(NUMBER + UNIT + "(?: [a-z]{1,8}){0,2}? (?:used|in use|occupied|taken|consumed)\\b");
    private static final Pattern LIMIT = Pattern.compile(
            "(?:--mem(?:ory)?(?:-per-(?:node|cpu|gpu))?[= ]|limits?\\.memory\\W{1,3}(?:is |of |to )?|mem(?:ory)?_limit\\W{1,4}|memory limit\\W{1,3}(?:is |of |to |was )?|memory\\.max\\W{1,3}|\\blimits?(?: is| of| to)? |\\bmemory efficiency: [\\d.]{1,6}% of )"
                    + NUMBER + UNIT);
    private static final Pattern MESSAGE =
            Pattern.compile("tried to allocate|process (?:\\d+ )?has |by pytorch|total capacity|exceeds the memory");
    /** Somebody who doubts a message says its sizes in other words. */
    private static final Pattern DOUBTS = Pattern.compile("\\b(?:but|although|though|while|yet|despite|when)\\b");

    private static final Pattern PRINTED =
            Pattern.compile("total capacity|of which|by pytorch|already allocated|memory in use|exceeds the memory");
    /** The size of a device in its name, {@code 24 GB card}, {@code A100 80GB}, {@code RTX 3090 (24 GB)}, {@code 4 x 40 GB gpus}; or one that is said not to be enough. */
    private static final Pattern CARD = Pattern.compile(
            "(?:\\b(?:[abhlv]\\d{2,3}s?|a\\d000|mi\\d{3}x?|rtx ?\\w{0,8} ?\\d{4}\\w{0,2}|t4|gtx ?\\d{4}|[34590]0\\d0(?: ?ti)?)(?: sxm\\d?| pcie)?(?:[ (-]{0,3}| ?\\([^()\\d]{1,30})"
                    + NUMBER + "(?:\\s?(gi?b|g|mi?b))\\b)|(?:\\b(?:\\d{1,4} ?x ?)?" + NUMBER
                    + "[ -]?(gi?b|gig|g)(?: (?:nvidia )?(?:cards?|gpus?|v?ram cards?|a100|h100|h200|v100|a6000|l40s?|rtx)|(?: of v?ram)? (?:is|are|isn't|aren't)(?: not|n't)? enough)\\b)");

    private final Consumer<Clue> found;
    private final String text;
    private final String written;
    private final long line;
    private final @Nullable Resource resource;

    /** A sentence in small letters and as written, and the memory that it is about. */
    Levels(Consumer<Clue> found, String text, String written, long line, @Nullable Resource resource) {
        this.found = found;
        this.text = text;
        this.written = written;
        this.line = line;
        this.resource = resource;
    }

    void read() {
        Matcher card = CARD.matcher(text);
        int ofCard = -1;
        if (card.find()) {
            int group = card.group(1) == null ? 3 : 1;
            ofCard = card.start(group);
            say(Kind.CARD, null, bytes(card, group));
        }
        boolean isPrinted =
                PRINTED.matcher(text).find() || !DOUBTS.matcher(text).find();
        if (MESSAGE.matcher(text).find() && isPrinted) {
            return; // its sizes are those of a message
        }
        Matcher limit = LIMIT.matcher(text);
        if (limit.find()) {
            found.accept(new Clue(Kind.LIMIT, Resource.HOST, bytes(limit, 1), line, limit.group()));
        }
        Matcher free = FREE.matcher(text);
        boolean isFree = free.find();
        if (isFree) {
            say(Kind.FREE, resource, bytes(free, 1));
            say(Kind.TOTAL, resource, bytes(free, 3));
        }
        Matcher of = USED_OF.matcher(text);
        if (of.find() && !(isFree && free.group(3) != null)) {
            int first = of.group(1) == null ? 5 : 1;
            String unit = of.group(first + 1) == null ? of.group(first + 3) : of.group(first + 1);
            say(Kind.USED, resource, Amounts.bytes(of.group(first), unit));
            say(Kind.TOTAL, resource, bytes(of, first + 2));
        } else {
            used(isFree ? free.start(1) : ofCard);
        }
    }

    /** What is used, but for an amount that is said to be free or that of the device. */
    private void used(int other) {
        Matcher monitor = MONITOR.matcher(text);
        Matcher used = USED.matcher(text);
        if (monitor.find()) {
            say(Kind.USED, Resource.DEVICE, monitor.start(1) == other ? 0 : bytes(monitor, 1));
        } else if (used.find()) {
            say(Kind.USED, resource, bytes(used, 1));
        }
    }

    private static long bytes(Matcher match, int group) {
        return Amounts.bytes(match.group(group), match.group(group + 1));
    }

    private void say(Kind kind, @Nullable Resource of, long bytes) {
        if (bytes > 0) {
            found.accept(new Clue(kind, of == null ? Prose.first(text) : of, bytes, line, written));
        }
    }
}
