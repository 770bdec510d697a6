package dev.leakline.conclusion;

import dev.leakline.result.Conclusion.Fact;
import dev.leakline.result.Conclusion.Part;
import dev.leakline.text.DataRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A size that follows from others of one moment, where it is not printed: a row of {@code sums.txt}, which explains its form.
 *
 * @param kind of which texts it holds
 * @param name the name of the fact
 * @param parts what it is the sum of
 */
record Sum(String kind, String name, List<Part> parts) {
    private static final String ANY = "any";

    private static final Pattern BLANKS = Pattern.compile("\\s+");
    private static final List<Sum> ALL = DataRow.read(Sum.class, "sums.txt", Set.of("sum")).stream()
            .map(row -> of(row.head(), row.says("sum")))
            .toList();

    private static Sum of(String kind, String row) {
        String[] words = BLANKS.split(row, -1);
        List<Part> parts = new ArrayList<>();
        for (int i = 2; i < words.length; i += 2) {
            parts.add(new Part(words[i], words[i - 1].equals("-") ? -1 : 1));
        }
        return new Sum(kind, words[0], List.copyOf(parts));
    }

    /** Adds those of sizes in any text and of a kind of texts whose parts are known. */
    static void addAll(String kind, Facts facts) {
        ALL.stream()
                .filter(sum -> sum.kind.equals(ANY) || sum.kind.equals(kind))
                .forEach(sum -> sum.addTo(facts));
    }

    /** Adds one size less another. */
    static void of(String name, String whole, String less, Facts facts) {
        new Sum(ANY, name, List.of(new Part(whole, 1), new Part(less, -1))).addTo(facts);
    }

    private void addTo(Facts facts) {
        long bytes = 0;
        for (Part part : parts) {
            if (!facts.has(part.fact())) {
                return;
            }
            bytes += Math.round(part.times() * facts.bytes(part.fact()));
        }
        Fact first = facts.all().get(parts.getFirst().fact());
        if (bytes > 0 && first != null && !facts.has(name)) {
            facts.set(name, new Fact(bytes, first.input(), 0, words(), parts));
        }
    }

    /** How it follows: {@code total less used}. */
    private String words() {
        StringBuilder words = new StringBuilder(parts.getFirst().fact().replace('_', ' '));
        for (Part part : parts.subList(1, parts.size())) {
            words.append(part.times() < 0 ? " less " : " plus ")
                    .append(part.fact().replace('_', ' '));
        }
        return words.toString();
    }
}
