package dev.leakline.conclusion;

import dev.leakline.result.Conclusion.Fact;
import dev.leakline.result.Conclusion.Part;
import dev.leakline.text.DataRow;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A size that follows from others of one moment, where it is not printed: a row of {@code sums.txt}, which explains its form.
 *
 * @param kind of which texts it holds
 * @param name the name of the fact
 * @param parts what it is the sum of
 * @param count the number of them, by its name; empty for one
 */
record Sum(String kind, String name, List<Part> parts, String count) {
    private static final String ANY = "any";

    /** Sums of sizes with three digits differ by less. */
    private static final double ROUNDED = 0.01;

    private static final Pattern BLANKS = Pattern.compile("\\s+");
    private static final List<Sum> ALL = DataRow.read(Sum.class, "sums.txt", Set.of("sum")).stream()
            .map(row -> of(row.head(), row.says("sum")))
            .toList();

    private static Sum of(String kind, String row) {
        String[] words = BLANKS.split(row, -1);
        List<Part> parts = new ArrayList<>();
        String count = "";
        for (int i = 2; i < words.length; i += 2) {
            if (words[i - 1].equals("*")) {
                count = words[i];
            } else {
                parts.add(new Part(words[i], words[i - 1].equals("-") ? -1 : 1));
            }
        }
        return new Sum(kind, words[0], List.copyOf(parts), count);
    }

    /** Adds those of sizes in any text and of a kind of texts whose parts are known. */
    static void addAll(String kind, Facts facts) {
        ALL.stream()
                .filter(sum -> sum.kind.equals(ANY) || sum.kind.equals(kind))
                .map(sum -> sum.count.isEmpty() ? sum : sum.times(facts.count(sum.count)))
                .forEach(sum -> sum.addTo(facts));
    }

    private Sum times(long number) {
        return new Sum(
                kind,
                name,
                parts.stream()
                        .map(part -> new Part(part.fact(), number * part.times()))
                        .toList(),
                count);
    }

    /** Adds one size less another. */
    static void of(String name, String whole, String less, Facts facts) {
        new Sum(ANY, name, List.of(new Part(whole, 1), new Part(less, -1)), "").addTo(facts);
    }

    /** A size that follows from facts in the first way that comes to it, of a line where none does. */
    static Fact fact(long bytes, long line, List<String> ways, Facts facts) {
        return ways.stream()
                .map(way -> of(ANY, "= = " + way))
                .filter(sum -> {
                    OptionalLong value = sum.value(facts);
                    return value.isPresent() && Math.abs(value.getAsLong() - bytes) <= ROUNDED * bytes;
                })
                .findFirst()
                .map(sum -> sum.fact(bytes, facts))
                .orElseGet(() -> Fact.of(bytes, 0, line, "follows from the message"));
    }

    private Fact fact(long bytes, Facts facts) {
        Fact first = facts.all().get(parts.getFirst().fact());
        return new Fact(bytes, first == null ? 0 : first.input(), 0, words(), parts);
    }

    /** The sum of the parts; empty where one is not known. */
    private OptionalLong value(Facts facts) {
        boolean isKnown = parts.stream().allMatch(part -> facts.has(part.fact()));
        return !isKnown
                ? OptionalLong.empty()
                : OptionalLong.of(parts.stream()
                        .mapToLong(part -> Math.round(part.times() * facts.bytes(part.fact())))
                        .sum());
    }

    private void addTo(Facts facts) {
        long bytes = value(facts).orElse(0);
        if (bytes > 0 && !facts.has(name)) {
            facts.set(name, fact(bytes, facts));
        }
    }

    /** How it follows: {@code total less used}. */
    private String words() {
        StringBuilder words = new StringBuilder(parts.getFirst().fact().replace('_', ' '));
        for (Part part : parts.subList(1, parts.size())) {
            words.append(part.times() < 0 ? " less " : " plus ")
                    .append(part.fact().replace('_', ' '));
        }
        return words + (count.isEmpty() ? "" : " times " + count);
    }
}
