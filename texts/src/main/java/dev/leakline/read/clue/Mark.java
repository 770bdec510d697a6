package dev.leakline.read.clue;

import dev.leakline.known.KnownLeak;
import dev.leakline.result.Conclusion.Resource;
import dev.leakline.source.Clue;
import dev.leakline.source.Clue.Kind;
import dev.leakline.text.Alternatives;
import dev.leakline.text.DataRow;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A thing that words tell of what a program does, or of what happened to it: rows of {@code marks.txt}, which explains its form.
 *
 * @param name the name of the mark, or of the fault
 * @param resource the memory that they are about; null where they do not say
 */
record Mark(String name, @Nullable Resource resource) {
    /** Plain words in a row before a mark. */
    private static final int MOST_WORDS = 4;

    private static final Pattern PART = Pattern.compile("\\{(\\.\\.|n|_)}|( +)|([^{ ]+)");
    /** A whole word of a text: no slot stands beside it. */
    private static final Pattern WORD = Pattern.compile("(?<![\\w}])\\w+(?![\\w{])");

    private static final List<Mark> ALL = new ArrayList<>();
    /** Words of marks, by a word that each of them has; those of which no such word is known are at the empty one. */
    private static final Map<String, List<Words>> BY_WORD = byWord();

    /** Some of the words of a mark. */
    private record Words(int mark, Pattern pattern) {}

    private static Map<String, List<Words>> byWord() {
        Map<String, Map<String, String>> forms = new LinkedHashMap<>();
        for (DataRow row : DataRow.read(Mark.class, "marks.txt", Set.of("say", "like"))) {
            boolean isSaid = row.end().equals("say");
            for (String text : isSaid ? Alternatives.of(row.says("say")) : List.of(row.says("like"))) {
                forms.computeIfAbsent(row.head(), _ -> new LinkedHashMap<>())
                        .merge(
                                isSaid ? anchor(text) : "",
                                isSaid ? pattern(text) : text,
                                (all, one) -> all + "|" + one);
            }
        }
        Map<String, List<Words>> words = new HashMap<>();
        forms.forEach((head, byAnchor) -> {
            String[] parts = head.split(" ", -1);
            ALL.add(new Mark(parts[0], parts.length > 1 ? Resource.valueOf(parts[1]) : null));
            byAnchor.forEach((anchor, form) -> add(words, anchor, Pattern.compile(form)));
        });
        for (KnownLeak leak : KnownLeak.all()) {
            ALL.add(new Mark(leak.id(), null));
            add(words, "", leak.says());
        }
        return words;
    }

    private static void add(Map<String, List<Words>> words, String anchor, Pattern pattern) {
        words.computeIfAbsent(anchor, _ -> new ArrayList<>()).add(new Words(ALL.size() - 1, pattern));
    }

    /** The longest whole word of a text. */
    private static String anchor(String text) {
        return WORD.matcher(text)
                .results()
                .map(MatchResult::group)
                .reduce("", (a, b) -> b.length() > a.length() ? b : a);
    }

    /** A text as a pattern: whole words, but where they end in a gap. */
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

    /** The marks of a line in small letters, but for what a sentence of a person has. */
    static List<Mark> in(String small) {
        BitSet found = new BitSet();
        look("", small, found);
        for (int at = 0; at < small.length(); at++) {
            int begin = at;
            while (at < small.length() && isOfWord(small.charAt(at))) {
                at++;
            }
            if (at > begin) {
                look(small.substring(begin, at), small, found);
            }
        }
        return found.stream().mapToObj(ALL::get).toList();
    }

    private static void look(String word, String small, BitSet found) {
        for (Words words : BY_WORD.getOrDefault(word, List.of())) {
            if (!found.get(words.mark) && isIn(words.pattern, small)) {
                found.set(words.mark);
            }
        }
    }

    private static boolean isOfWord(char character) {
        return (character >= 'a' && character <= 'z') || (character >= '0' && character <= '9') || character == '_';
    }

    private static boolean isIn(Pattern words, String small) {
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
