package dev.leakline.read.clue;

import dev.leakline.source.Clue;
import dev.leakline.source.Clue.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Lines of a word and a number, {@code hour 3}, below each of which somebody pasted the same readings. */
final class Headings {
    private static final Pattern HEADING = Pattern.compile(
            "[\\s#>*=-]*(?:after )?(hour|day|minute|epoch|run|step|request|round|iteration|image|page|file) ?#?(\\d{1,6})[\\s:.)*=-]*");

    /** Characters of such a line. */
    static final int MOST_LENGTH = 40;
    /** Words of a text: nobody counts in more of them. */
    private static final int MOST = 1000;

    private final Consumer<Clue> found;
    private final Map<String, List<Integer>> numbers = new LinkedHashMap<>();
    private long line;

    Headings(Consumer<Clue> found) {
        this.found = found;
    }

    /** Takes a line in small letters. */
    void take(String small, long number) {
        Matcher heading = HEADING.matcher(small);
        if (small.length() <= MOST_LENGTH && heading.matches()) {
            List<Integer> all = numbers.computeIfAbsent(heading.group(1), _ -> new ArrayList<>());
            if (all.size() < MOST) {
                all.add(Integer.parseInt(heading.group(2)));
            }
            line = number;
        }
    }

    /** Says how many there are of each word that counts by one. */
    void finish() {
        numbers.forEach((word, all) -> {
            if (countsByOne(all)) {
                found.accept(new Clue(Kind.READ_EACH, null, all.size(), line, word));
            }
        });
    }

    private static boolean countsByOne(List<Integer> all) {
        for (int i = 1; i < all.size(); i++) {
            if (all.get(i) != all.get(i - 1) + 1) {
                return false;
            }
        }
        return all.size() > 1;
    }
}
