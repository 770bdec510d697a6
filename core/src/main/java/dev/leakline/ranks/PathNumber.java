package dev.leakline.ranks;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A number in a path, and what the word before it says that it counts.
 *
 * @param place where in paths alike it stands: the part of the path, counted from its end, the word, and which of several it is
 * @param meaning what it counts
 * @param value the number
 */
record PathNumber(Place place, Meaning meaning, long value) {
    /** A place in paths that are alike. */
    record Place(int partFromEnd, String word, int ordinal) {}

    /** Things that numbers in paths count. */
    enum Meaning {
        /** Processes of the job, as {@code torch.distributed} numbers them. */
        RANK,
        /** Processes or devices of one machine. */
        LOCAL_RANK,
        /** Machines. */
        HOST,
        /** How far the job had come, or how often it had been started. */
        ITERATION,
        /** When it was written. */
        TIME,
        /** A number alone, or after a word for a recording, as a folder's name: how far the job had come, if it is no rank. */
        FOLDER_OF_FILES,
        /** Operating systems' numbers of processes, which say nothing of ranks. */
        PROCESS_ID,
        /** Nobody knows. */
        UNKNOWN
    }

    /** Trainers write these before a rank: torchtitan, verl, lmms-engine, Megatron, and PyTorch's own tutorials. */
    private static final Set<String> RANKS = Set.of("rank", "ranks", "globalrank", "grank", "rk");

    private static final Set<String> LOCAL_RANKS =
            Set.of("localrank", "lrank", "gpu", "cuda", "device", "dev", "npu", "card", "xpu", "hpu");
    private static final Set<String> HOSTS =
            Set.of("node", "host", "machine", "server", "pod", "instance", "hostname", "nodeid", "noderank");
    private static final Set<String> ITERATIONS = Set.of(
            "iteration",
            "iter",
            "it",
            "step",
            "steps",
            "epoch",
            "ckpt",
            "checkpoint",
            "globalstep",
            "trainstep",
            "run",
            "attempt",
            "restart",
            "round",
            "version");

    private static final Set<String> RECORDINGS =
            Set.of("", "snapshot", "snapshots", "snap", "dump", "dumps", "profile", "memory", "trace", "mem");
    /** A date, and perhaps a time of day; what separates its parts is the same throughout. */
    private static final Pattern DATE = Pattern.compile(
            "(?<!\\d)20\\d\\d([-_.]?)[01]\\d\\1[0-3]\\d(?:[-_T .]?[0-2]\\d([-:.]?)[0-5]\\d(?:\\2[0-5]\\d)?)?(?!\\d)");
    /** Seconds since 1970 are at least this, from 2001 on; no job has as many ranks. */
    private static final long FIRST_SECOND = 1_000_000_000;

    private static final Pattern DIGITS = Pattern.compile("\\d{1,18}");
    /** The words just before a number, without what separates them from it. */
    private static final Pattern WORDS =
            Pattern.compile("(?<![A-Za-z])(?:([A-Za-z]+)[_\\-. ])?([A-Za-z]+)[_\\-=.: ]*$");

    /** Returns whether it says how far the job had come; {@code rank} is the place of the number that tells ranks apart, null where that is not known. */
    boolean isIteration(@Nullable Place rank) {
        return meaning == Meaning.ITERATION || (meaning == Meaning.FOLDER_OF_FILES && !place.equals(rank));
    }

    /** All numbers of a path, in their order. */
    static List<PathNumber> of(String path) {
        List<PathNumber> numbers = new ArrayList<>();
        String[] parts = path.split("/", -1);
        for (int part = 0; part < parts.length; part++) {
            add(parts[part], parts.length - 1 - part, numbers);
        }
        return numbers;
    }

    private static void add(String part, int fromEnd, List<PathNumber> numbers) {
        int first = numbers.size();
        BitSet dates = new BitSet();
        DATE.matcher(part).results().forEach(date -> dates.set(date.start(), date.end()));
        for (Matcher digits = DIGITS.matcher(part); digits.find(); ) {
            Matcher words = WORDS.matcher(part.substring(0, digits.start()));
            boolean hasWord = words.find();
            String last = hasWord ? words.group(2).toLowerCase(Locale.ROOT) : "";
            String before = hasWord && words.group(1) != null ? words.group(1).toLowerCase(Locale.ROOT) : "";
            int ordinal = (int) numbers.subList(first, numbers.size()).stream()
                    .filter(other -> other.place.word.equals(last))
                    .count();
            long value = Long.parseLong(digits.group());
            boolean isTime = dates.get(digits.start()) || value >= FIRST_SECOND;
            Meaning meaning = isTime ? Meaning.TIME : meaning(before, last);
            boolean isFolder = meaning == Meaning.UNKNOWN && fromEnd > 0 && RECORDINGS.contains(last);
            numbers.add(new PathNumber(
                    new Place(fromEnd, last, ordinal), isFolder ? Meaning.FOLDER_OF_FILES : meaning, value));
        }
    }

    private static Meaning meaning(String before, String last) {
        String both = before + last;
        if (LOCAL_RANKS.contains(both) || LOCAL_RANKS.contains(last)) {
            return Meaning.LOCAL_RANK;
        }
        if (HOSTS.contains(both) || HOSTS.contains(last)) {
            return Meaning.HOST;
        }
        if (RANKS.contains(last)) {
            return Meaning.RANK;
        }
        if (ITERATIONS.contains(both) || ITERATIONS.contains(last)) {
            return Meaning.ITERATION;
        }
        return last.equals("pid") ? Meaning.PROCESS_ID : Meaning.UNKNOWN;
    }
}
