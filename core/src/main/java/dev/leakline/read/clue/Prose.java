package dev.leakline.read.clue;

import static dev.leakline.read.clue.Amounts.NUMBER;
import static dev.leakline.read.clue.Amounts.UNIT;

import dev.leakline.result.Conclusion.Resource;
import dev.leakline.source.Clue;
import dev.leakline.source.Clue.Kind;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads sentences about memory: {@code went from 36 to 39.9 GB over 600 steps}, {@code grows by 12 MB each request}. A sentence is an amount or two, what they are about, and per what; a number that it does not print is never made up.
 */
final class Prose {
    private static final String TURN =
            "(step|iteration|iter|batch|epoch|fold|request|call|image|prompt|generation|prediction|inference"
                    + "|episode|rollout|cycle|loop|round|run|query|message|file|document|job|trial|session|video|clip|sample|restart|validation|evaluation|eval|checkpoint|reload|conversation|chunk|page|turn|task|experiment|frame|hour|minute|second|day)";
    private static final Pattern RISE = Pattern.compile(
            "\\b(?:grow|grew|increas|climb|ris|rose|leak|creep|crept|add|accumulat|pile|(?:went|goes)(?! (?:back )?down)|go up|up|extra|more|jump|balloon|swell)");

    private static final Pattern SENTENCE = Pattern.compile("(?<=[.!?;])\\s+");
    private static final Pattern FROM_TO = Pattern.compile("(?:from|was|were|at) " + NUMBER + UNIT
            + "?(?: of)?(?: [a-z]{1,12}){0,4}?,? (?:up )?(?:to|until|->|and is now|now|towards) " + NUMBER + UNIT);
    private static final Pattern STARTS = Pattern.compile(
            "(?:start|began|begin)(?:s|ed|ing)?(?: [a-z]{1,12}){0,4}? (?:at|with|from|on|around) " + NUMBER + UNIT
                    + "?.{1,80}?\\b(?:reach(?:es|ed)?|to|at|is|hits?|ends?|uses?|was|till) (?:[a-z]{1,8} ){0,3}?"
                    + NUMBER
                    + UNIT);
    private static final Pattern ARROW = Pattern.compile(NUMBER + UNIT + "?\\s?(?:->|=>|-->)\\s?" + NUMBER + UNIT);
    private static final Pattern OVER =
            Pattern.compile("^.{0,40}?\\b(?:over|after|in|within|during|across) (?:the )?(?:first |last |next )?"
                    + NUMBER + "(k?) ?(?:[a-z]{1,12} )?" + TURN);
    private static final Pattern ONCE =
            Pattern.compile("^.{0,20}?\\b(?:over|after|in|within|during) (?:an?|one) " + TURN + "\\b");
    private static final Pattern RATE = Pattern.compile(NUMBER + UNIT
            + "(?: [a-z]{1,12}){0,3}?(?:,)? ?(?:per|every|each|/|an?|after each|after every|with each|with every|for each|for every) ?(?:single )?(?:(\\d[\\d,]{0,6}) )?"
            + TURN);
    private static final Pattern TURN_FIRST = Pattern.compile("(?:each|every|per)(?: single)?(?: (\\d[\\d,]{0,6}))? "
            + TURN + "s?(?: [a-z]{1,12}){0,7}? " + NUMBER + UNIT);
    private static final Pattern AMOUNT = Pattern.compile(NUMBER + UNIT);
    /** Several readings one after the other. */
    private static final Pattern LIST =
            Pattern.compile(NUMBER + UNIT + "(?:(?:,? ?(?:,|->|then|and|to) ?)" + NUMBER + UNIT + "){2,40}");

    /** What tells several readings apart that stand with words between them. */
    private static final Pattern AFTER = Pattern.compile("\\b(?:after|at step|at epoch|in hour|by hour)\\b");
    /** Two versions of a program that are compared: what one needs more than the other is no growth over time. */
    private static final Pattern VERSIONS = Pattern.compile(
            "\\b(?:since|after|with|before|by) (?:the |my |our |an? |i |we )?(?:last |latest |recent )?(?:updat|upgrad|downgrad)\\w*"
                    + "|\\b(?:new|newer|latest|last|old|older|previous) (?:version|release|update)s?\\b|\\bregression\\b"
                    + "|\\b(?:since|with|back to|than in) v?\\d+\\.\\d+(?:\\.\\d+)?\\b(?! ?[gmt]i?b)");
    /** Somebody who sets how much there may be: the sizes are none of what is in use. */
    private static final Pattern SETS = Pattern.compile(
            "\\b(?:i|we|you) (?:\\w+ )?(?:raised?|set|increased?|changed?|lowered|reduced?|bumped|doubled|upgraded)\\b"
                    + "|\\b(?:rais|sett?|increas|chang|lower|reduc|bump|doubl)(?:e?d?|ing|e?s)\\b.{0,30}?(?:\\b(?:limits?|quota|requests?)\\b|--[a-z]|mem_limit|_fraction\\b)"
                    + "|\\b(?:limits?|quota)(?:\\.\\w+)? (?:was|were|is|has been) (?:raised|set|increased|changed|lowered|reduced|bumped|doubled)\\b");
    /** What a clause that says what is steady is about, where that is not what grows. */
    private static final Pattern OWN_SUBJECT =
            Pattern.compile("\\b(?:heap|gpus?|v?ram|rss|cpu|others?|ranks?|graph|curve|was|were|used to)\\b");

    private static final Pattern CLAUSE = Pattern.compile("[,:()]| but | while | and |\\s-+\\s");
    private static final Pattern SIZED = Pattern.compile(
            "\\b(?:memory|mem|v?ram|rss|leak\\w*|oom|nvidia-smi|nvitop|usage|out of memory)\\b|\\d ?[gm]i?b\\b");

    private static final Pattern EARLIER = Pattern.compile(
            "\\b(?:at (?:the )?(?:start|beginning|first)|initially|before|in the beginning|at startup|right after (?:start|loading))\\b");
    private static final Pattern LATER = Pattern.compile(
            "\\b(?:after|later|at the end|finally|now|in the end|by the end|eventually|when it (?:dies|crashes|fails))\\b");
    private static final Pattern GROWS = Pattern.compile(
            "\\b(?:grow|grew|growing|grows|increas\\w*|leak\\w*|climb\\w*|ris(?:es|ing|en)|rose|fills? up|creep\\w*|accumulat\\w*|keeps? going up|goes up|piles? up|more and more|upward trend|trend(?:s|ing)? (?:is )?up)\\b");
    /** A level at which memory stays. */
    private static final Pattern STAYS_AT = Pattern.compile(
            "\\b(?:still|stays?|stayed|remain\\w*|constant(?! allocation)|flat|steady|stable)\\b[^.\\d]{0,30}?" + NUMBER
                    + UNIT);
    /** That what grew is not given back, or that it grows until the program ends. */
    private static final Pattern NEVER_FREED = Pattern.compile(
            "\\b(?:never|not|n['\u2019]t) (?:\\w+ )?(?:come|comes|came|go|goes|went|drop|drops|fall|falls|shrink|shrinks|return|returns|freed|released|given)\\b(?: (?:back|down|again))?"
                    + "|\\b(?:until|till) (?:it|the \\w+|everything|we|i)\\b.{0,30}\\b(?:die|dies|crash\\w*|kill\\w*|ooms?|runs? out|fail\\w*|restart\\w*|full)\\b");
    /** What is said without a size. */
    private static final Set<Kind> STATEMENTS = EnumSet.of(Kind.SAYS_GROWS, Kind.SAYS_STEADY, Kind.SAYS_NEVER_FREED);

    /** Two readings without a unit; of four digits and more, so that they are not steps or gibibytes. */
    private static final Pattern BARE = Pattern.compile(
            "(?<![\\w.])(\\d{4,6}) ?(?:->|=>|-->|to) ?(\\d{4,6})(?![\\w.]| ?(?:[kmgt]i?b|steps|iter|tokens|%))");

    private static final Pattern MEBIBYTES =
            Pattern.compile("\\d ?mi?b\\b|\\bin mi?b\\b|\\(mi?b\\)|nvidia-smi|memory\\.used|gpustat|nvitop");
    private static final Pattern LEAKS = Pattern.compile("\\b(?:grows?|grew|growing|growth)\\b");
    private static final Pattern STEADY = Pattern.compile(
            "\\b(?:constant|flat|stable|steady|plateau\\w*|stays? (?:at|the same|there)|stayed|(?:does not|doesn't|do not|don't|never|no longer|not) (?:grow|increase|rise|change)"
                    + "|(?:not|\\w{2,5}n['\u2019]t|never|no longer) (?:\\w+ )?(?:growing|increasing|rising|climbing)|no growth|levels? off)\\b");
    /** A question whether memory leaks says nothing of what it does. */
    private static final Pattern ASKS = Pattern.compile(
            "^\\W*(?:(?:so|and|but|or),? )?(?:do (?:i|we)|have (?:i|we)|is (?:this|that|it|there)|are there|does (?:it|this|that)|can it|could (?:it|this|that|there)|might (?:it|this))\\b.*|\\W*(?:[\\w.]+ ){0,4}leak(?:s|ing)?\\?\\W*");

    private static final Pattern LEAK = Pattern.compile("\\bleak\\w*");
    private static final Pattern NOT = Pattern.compile(
            "\\b(?:not|no|isn't|n't|never|without|instead of|rather than|un(?:like|related to))(?: (?:the|a|an|my|any|on))? (?:\\w+ )?(gpu|vram|cuda|ram|host|cpu)\\b");
    private static final Pattern HOST = Pattern.compile(
            "\\b(?:ram|rss|(?:host|cpu|system|main|node|native|process|pod|container) memory|container_memory_\\w+|memory of the (?:node|host|machine|pod|container)|swap|cgroup|kubectl|k8s|kubernetes|oom[ -]?kill\\w*|off-heap|native heap|outside (?:of )?the jvm)\\b");
    private static final Pattern DEVICE = Pattern.compile(
            "\\b(?:v-?ram|gpu|(?<!more )(?<!fewer )gpus|cuda|nvidia-smi|dcgm_fi_dev_fb_\\w+|device memory|graphics card|video memory|hbm|rocm)\\b");
    private static final Pattern ABOUT = Pattern.compile(
            "\\b(?:memory|mem|v?ram|rss|gpu|gb|gib|mb|mib|usage|leak\\w*|allocat\\w*|reserved|heap|nvidia-smi)\\b|\\d ?[gm]i?b\\b");

    /** Characters around an amount that say when it was read. */
    private static final int AROUND = 30;
    /** A rise of less is what any two moments of a program differ by. */
    private static final double NOTABLE = 0.05;

    private final Consumer<Clue> found;
    private long beginning;
    /** What the sentence before is about: one in brackets goes on with it. */
    private @Nullable Resource about;

    private boolean comparesVersions;
    /** Whether sizes so far were printed in mebibytes, as monitors of NVIDIA's devices do. */
    private boolean hasMebibytes;

    Prose(Consumer<Clue> found) {
        this.found = found;
    }

    /** Reads a line of text, which may hold several sentences. */
    void read(String line, long number) {
        about = null;
        for (String written : SENTENCE.split(line, -1)) {
            String sentence = written.toLowerCase(Locale.ROOT);
            hasMebibytes |= MEBIBYTES.matcher(sentence).find();
            if (VERSIONS.matcher(sentence).find()) {
                comparesVersions = true;
                found.accept(new Clue(Kind.COMPARES_VERSIONS, null, 0, number, written.strip()));
            }
            if (ABOUT.matcher(sentence).find() || LEAKS.matcher(sentence).find()) {
                about = written.startsWith("(") && resource(sentence) == null ? about : resource(sentence);
                new Sentence(sentence, written.strip(), number, about).read();
            }
        }
    }

    /** The memory that a text speaks of; null where it names both or none. */
    static @Nullable Resource resource(String text) {
        String meant = NOT.matcher(text).replaceAll(" ");
        boolean isHost = HOST.matcher(meant).find();
        boolean isDevice = DEVICE.matcher(meant).find();
        return isHost == isDevice ? null : isHost ? Resource.HOST : Resource.DEVICE;
    }

    /** The memory that a sentence about both names first; null where it names none. */
    static @Nullable Resource first(String text) {
        String meant = NOT.matcher(text).replaceAll(" ");
        Matcher host = HOST.matcher(meant);
        Matcher device = DEVICE.matcher(meant);
        boolean isHost = host.find();
        boolean isDevice = device.find();
        if (!isHost && !isDevice) {
            return null;
        }
        return isHost && (!isDevice || host.start() < device.start()) ? Resource.HOST : Resource.DEVICE;
    }

    /** One sentence, in small letters. */
    private final class Sentence {
        private final String text;
        private final String written;
        private final long line;
        private final @Nullable Resource resource;

        Sentence(String text, String written, long line, @Nullable Resource resource) {
            this.text = text;
            this.written = written;
            this.line = line;
            this.resource = resource;
        }

        void read() {
            boolean grew = readings();
            grew |= rate();
            new Levels(found, text, written, line, resource).read();
            boolean grows = grew || GROWS.matcher(stated()).find();
            Matcher stays = STAYS_AT.matcher(text);
            while (stays.find()) {
                say(Kind.STAYS_AT, bytes(stays, 1));
            }
            if (GROWS.matcher(stated()).find() && NEVER_FREED.matcher(text).find()) {
                say(Kind.SAYS_NEVER_FREED, 0);
            }
            if (staysAsItIs(grows)) {
                say(Kind.SAYS_STEADY, 0);
            } else if (grows) {
                say(Kind.SAYS_GROWS, 0);
            } else if (ASKS.matcher(text).matches() && LEAK.matcher(text).find()) {
                found.accept(new Clue(Kind.ASKS_LEAK, resource, 0, line, written));
            }
            if (resource != null && SIZED.matcher(text).find()) {
                found.accept(new Clue(Kind.NAMED, resource, 0, line, written));
            }
        }

        /** What the sentence states of growth: neither what it denies nor whether it asks for a leak. */
        private String stated() {
            String meant = SETS.matcher(STEADY.matcher(text).replaceAll(" ")).replaceAll(" ");
            return ASKS.matcher(text).matches() ? LEAK.matcher(meant).replaceAll(" ") : meant;
        }

        /** Whether the sentence says so of what it is about; a clause about something else says nothing of what grows. */
        private boolean staysAsItIs(boolean grows) {
            for (String clause : CLAUSE.split(text, -1)) {
                boolean isOther = grows && OWN_SUBJECT.matcher(clause).find();
                if (!isOther && STEADY.matcher(clause).find()) {
                    return true;
                }
            }
            return false;
        }

        private boolean readings() {
            if (SETS.matcher(text).find()) {
                return false;
            }
            boolean grew = list();
            for (Pattern pair : List.of(FROM_TO, STARTS, ARROW)) {
                Matcher match = pair.matcher(text);
                grew = grew || (match.find() && rise(match));
            }
            moments();
            return grew || bare();
        }

        /** Two readings that have no unit: they have that of the text, or none that anybody knows. */
        private boolean bare() {
            Matcher bare = BARE.matcher(text);
            if (!bare.find()) {
                return false;
            }
            if (!hasMebibytes) {
                found.accept(new Clue(Kind.NO_UNIT, resource, 0, line, bare.group()));
                return false;
            }
            long rise = Amounts.bytes(bare.group(2), "m") - Amounts.bytes(bare.group(1), "m");
            return rise(rise, Amounts.bytes(bare.group(2), "m"), bare.end());
        }

        /** Two amounts, of which the first may share the unit of the second. */
        private boolean rise(Matcher match) {
            String unit = match.group(2) == null ? match.group(4) : match.group(2);
            long last = Amounts.bytes(match.group(3), match.group(4));
            return rise(last - Amounts.bytes(match.group(1), unit), last, match.end());
        }

        private boolean rise(long rise, long last, int end) {
            Matcher over = OVER.matcher(text.substring(end));
            Matcher once = ONCE.matcher(text.substring(end));
            boolean isOver = over.find();
            boolean isOnce = !isOver && once.find();
            if (rise <= 0 || (comparesVersions && !isOver && !isOnce)) {
                return false; // what one version needs more than the other is no growth over time
            }
            say(Kind.GROWTH_TOTAL, rise);
            say(Kind.ROSE_TO, last);
            if (isOver) {
                double turns = Amounts.number(over.group(1)) * (over.group(2).isEmpty() ? 1 : 1000);
                rate(rise, turns, over.group(3));
            }
            if (isOnce) {
                rate(rise, 1, once.group(1));
            }
            return true;
        }

        private void rate(long bytes, double turns, String turn) {
            say(Kind.GROWTH_RATE, Math.round(bytes / Math.max(turns, 1)));
            found.accept(new Clue(Kind.TURN, null, 0, line, turn));
        }

        /** Three readings and more, each higher than the one before; a warm-up slows down. */
        private boolean list() {
            Matcher list = LIST.matcher(text);
            List<Long> readings = new ArrayList<>();
            boolean isBare = list.find();
            boolean isSpread = AFTER.matcher(text).results().count() >= 2;
            for (Matcher each = AMOUNT.matcher(isBare ? list.group() : isSpread ? text : ""); each.find(); ) {
                readings.add(bytes(each, 1));
            }
            int rises = readings.size() - 1;
            for (int i = 1; i <= rises; i++) {
                if (readings.get(i) <= readings.get(i - 1)) {
                    return false;
                }
            }
            if (rises < 2) {
                return false;
            }
            long total = readings.getLast() - readings.getFirst();
            long last = readings.getLast() - readings.get(rises - 1);
            boolean goesOn = 2 * last * rises >= total;
            if (goesOn) {
                say(Kind.GROWTH_TOTAL, total);
                say(Kind.ROSE_TO, readings.getLast());
                if (isBare) {
                    say(Kind.GROWTH_RATE, total / rises);
                }
            }
            return goesOn;
        }

        /** A reading from the beginning and one from later, in this sentence or in an earlier one. */
        private void moments() {
            boolean isEarlier = false;
            long rise = 0;
            for (Matcher amount = AMOUNT.matcher(text); amount.find(); ) {
                String before = text.substring(Math.max(0, amount.start() - AROUND), amount.start());
                String around = before + text.substring(amount.start(), Math.min(text.length(), amount.end() + AROUND));
                if (before.endsWith("/ ") || before.endsWith("/") || before.endsWith("of ")) {
                    continue; // the whole of which the amount before is a part
                }
                boolean begins = !isEarlier && EARLIER.matcher(around).find();
                if (begins) {
                    isEarlier = true;
                    beginning = bytes(amount, 1);
                } else if (beginning > 0 && LATER.matcher(around).find()) {
                    rise = Math.max(rise, bytes(amount, 1) - beginning);
                }
            }
            if (rise > NOTABLE * beginning && !comparesVersions) {
                say(Kind.ROSE, rise);
            }
        }

        private boolean rate() {
            if (!RISE.matcher(text).find() && text.indexOf('+') < 0) {
                return false;
            }
            Matcher behind = RATE.matcher(text);
            if (behind.find()) {
                return rate(behind.group(1), behind.group(2), behind.group(3), behind.group(4));
            }
            Matcher before = TURN_FIRST.matcher(text);
            return before.find() && rate(before.group(3), before.group(4), before.group(1), before.group(2));
        }

        private boolean rate(String number, String unit, @Nullable String turns, String turn) {
            long bytes = Amounts.bytes(number, unit);
            rate(bytes, turns == null ? 1 : Amounts.number(turns), turn);
            return bytes > 0;
        }

        private static long bytes(Matcher match, int group) {
            return Amounts.bytes(match.group(group), match.group(group + 1));
        }

        private void say(Kind kind, long bytes) {
            if (bytes > 0 || STATEMENTS.contains(kind)) {
                found.accept(new Clue(kind, resource == null ? first(text) : resource, bytes, line, written));
            }
        }
    }
}
