package dev.leakline.read.clue;

import dev.leakline.known.KnownLeak;
import dev.leakline.result.Conclusion.Resource;
import dev.leakline.source.Clue;
import dev.leakline.source.Clue.Kind;
import dev.leakline.text.Alternatives;
import dev.leakline.text.DataRow;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Words that tell what a program does, or what happened to it: rows of {@code marks.txt}, which explains its form.
 *
 * @param name the name of the mark, or of the fault
 * @param resource the memory that they are about; null where they do not say
 * @param words the words
 */
record Mark(String name, @Nullable Resource resource, Pattern words) {
    /** Plain words in a row before a mark. */
    private static final int MOST_WORDS = 4;

    private static final Pattern PART = Pattern.compile("\\{(\\.\\.|n|_)}|( +)|([^{ ]+)");
    /** All marks that are looked for in a line. */
    static final List<Mark> ALL = all();

    private static List<Mark> all() {
        Map<String, String> words = new LinkedHashMap<>();
        for (DataRow row : DataRow.read(Mark.class, "marks.txt", Set.of("say", "like"))) {
            String form = row.end().equals("like") ? row.says("like") : form(row.says("say"));
            words.merge(row.head(), form, (all, one) -> all + "|" + one);
        }
        return Stream.concat(
                        words.entrySet().stream().map(mark -> of(mark.getKey().split(" ", -1), mark.getValue())),
                        KnownLeak.all().stream().map(leak -> new Mark(leak.id(), null, leak.says())))
                .toList();
    }

    private static Mark of(String[] head, String words) {
        return new Mark(head[0], head.length > 1 ? Resource.valueOf(head[1]) : null, Pattern.compile(words));
    }

    /** The texts of a row as a pattern: whole words, but where they end in a gap. */
    private static String form(String row) {
        return Alternatives.of(row).stream().map(Mark::pattern).collect(Collectors.joining("|"));
    }

    private static String pattern(String text) {
        StringBuilder form = new StringBuilder(Character.isLetterOrDigit(text.charAt(0)) ? "\\b" : "");
        boolean isOpen = text.endsWith("{..}");
        String words = isOpen ? text.substring(0, text.length() - 4) : text;
        for (Matcher part = PART.matcher(words); part.find(); ) {
            form.append(
                    part.group(2) != null
                            ? "\\s+"
                            : part.group(3) != null ? Pattern.quote(part.group(3)) : slot(part.group(1)));
        }
        boolean isWord = Character.isLetterOrDigit(words.charAt(words.length() - 1));
        return form + (isWord && !isOpen ? "\\b" : "");
    }

    private static String slot(String slot) {
        return switch (slot) {
            case "n" -> "[-+]?\\d+";
            case "_" -> "\\S{0,200}?";
            default -> ".{0,80}?";
        };
    }

    /** The clue of a line that has the words. */
    Clue clue(long number, String text) {
        return new Clue(Kind.MARK, resource, 0, number, text, name, -1, "");
    }

    /** Returns whether a line in small letters has the words, where no sentence of a person has them. */
    boolean isIn(String small) {
        for (Matcher match = words.matcher(small); match.find(); ) {
            if (!isQuoted(small, match.start()) && !isInSentence(small, match.start())) {
                return true;
            }
        }
        return false;
    }

    private static boolean isQuoted(String small, int start) {
        return start > 0 && small.charAt(start - 1) == '`';
    }

    /** Returns whether so many plain words stand right before a place as no program prints there: {@code If the job is killed with}. */
    private static boolean isInSentence(String small, int start) {
        int words = 0;
        int at = start - 1;
        while (at >= 0 && small.charAt(at) == ' ' && words < MOST_WORDS) {
            int end = at;
            while (at > 0 && Character.isLetter(small.charAt(at - 1))) {
                at--;
            }
            if (at == end) {
                return false;
            }
            words++;
            at--;
        }
        return words == MOST_WORDS;
    }
}
