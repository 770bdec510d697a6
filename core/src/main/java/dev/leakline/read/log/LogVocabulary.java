package dev.leakline.read.log;

import dev.leakline.read.log.Phrase.Effect;
import dev.leakline.source.WordTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The words of all {@link Phrase phrases} as numbers, and the phrases by the symbol that ends them. */
final class LogVocabulary {
    /** Stands for every word that is in no phrase. */
    static final int OTHER = WordTable.OTHER;

    static final int SIZE = 1;
    static final int NUMBER = 2;
    static final int COLON = 3;
    /** Units of sizes have the numbers from here on: bytes, KiB and so on, by their power of 1024. */
    static final int UNIT = 4;

    /** The word of all words. */
    static final int MEMORY = UNIT + 5;

    /** The first word of {@code tried to allocate}. */
    static final int TRIED = MEMORY + 1;
    /** A word of messages that is also a level, which stands before lines. */
    static final int ERROR = MEMORY + 2;

    private static final int FIRST_WORD = MEMORY + 3;
    private static final List<String> UNITS =
            List.of("bytes", "byte", "kib", "kb", "mib", "mb", "gib", "gb", "tib", "tb");

    /** A phrase as symbols; {@code size} is the place of the size that it is about, -1 where it has none. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Pattern(int[] symbols, int size, Effect effect) {}

    /** The vocabulary of {@link Phrase#ALL}. */
    static final LogVocabulary DEFAULT = new LogVocabulary();

    private final WordTable words = new WordTable();

    private final Pattern[][] byLast;
    private final int longest;
    private final boolean[] takesNumber;

    private LogVocabulary() {
        Map<String, Integer> symbols =
                new HashMap<>(Map.of(Phrase.SIZE, SIZE, Phrase.NUMBER, NUMBER, Phrase.COLON, COLON));
        UNITS.forEach(unit -> put(symbols, unit, UNIT + SizeText.power(unit)));
        put(symbols, "memory", MEMORY);
        put(symbols, "tried", TRIED);
        put(symbols, "error", ERROR);
        Phrase.FILLERS.forEach(word -> put(symbols, word, FIRST_WORD + symbols.size()));
        Phrase.ALL.stream()
                .flatMap(phrase -> phrase.words().stream())
                .distinct()
                .filter(word -> !symbols.containsKey(word))
                .forEach(word -> put(symbols, word, FIRST_WORD + symbols.size()));
        int count = FIRST_WORD + symbols.size();
        List<List<Pattern>> patterns = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            patterns.add(new ArrayList<>());
        }
        takesNumber = new boolean[count];
        int most = 0;
        for (Phrase phrase : Phrase.ALL) {
            Pattern pattern = pattern(phrase, symbols);
            patterns.get(pattern.symbols[pattern.symbols.length - 1]).add(pattern);
            most = Math.max(most, pattern.symbols.length);
            markNumbers(pattern);
        }
        longest = most;
        byLast = patterns.stream()
                .map(list -> list.stream()
                        .sorted(Comparator.comparingInt((Pattern pattern) -> -pattern.symbols.length))
                        .toArray(Pattern[]::new))
                .toArray(Pattern[][]::new);
    }

    private void put(Map<String, Integer> symbols, String word, int number) {
        symbols.put(word, number);
        words.put(word, number);
    }

    private static Pattern pattern(Phrase phrase, Map<String, Integer> symbols) {
        int[] pattern = phrase.words().stream().mapToInt(symbols::get).toArray();
        return new Pattern(pattern, phrase.words().lastIndexOf(Phrase.SIZE), phrase.effect());
    }

    private void markNumbers(Pattern pattern) {
        for (int i = 1; i < pattern.symbols.length; i++) {
            takesNumber[pattern.symbols[i - 1]] |= pattern.symbols[i] == NUMBER;
        }
    }

    /** The symbol of the word between two places of a text; capitals do not count. */
    int symbol(char[] text, int from, int to) {
        return words.get(text, from, to);
    }

    static boolean isUnit(int symbol) {
        return symbol >= UNIT && symbol < MEMORY;
    }

    /** Whether a symbol is that of a word in a phrase, of a size or of a unit. */
    static boolean isKnown(int symbol) {
        return symbol == SIZE || symbol >= UNIT;
    }

    /** Whether some phrase has a number without a unit right behind this symbol. */
    boolean takesNumber(int symbol) {
        return takesNumber[symbol];
    }

    /** Phrases that end in a symbol, the longest first. */
    Pattern[] endingIn(int symbol) {
        return byLast[symbol];
    }

    /** Symbols of the longest phrase. */
    int longest() {
        return longest;
    }
}
