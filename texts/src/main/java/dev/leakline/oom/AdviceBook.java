package dev.leakline.oom;

import dev.leakline.result.Finding.Advice;
import dev.leakline.text.DataFile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The rows of {@code advice.txt}, by the names under which messages and conclusions ask for them. */
public final class AdviceBook {
    private static final String CACHE = "cache";
    private static final Pattern PLACE = Pattern.compile("\\{([a-z_]+)}");

    /** All advice. */
    public static final AdviceBook ALL = new AdviceBook();

    /**
     * A piece of advice.
     *
     * @param needs facts that must hold
     * @param isOfCache whether it saves what is cached, at most
     */
    public record Row(Set<String> needs, boolean isOfCache, String action, String why, String link) {}

    private final Map<String, List<Row>> rows = new LinkedHashMap<>();
    private final Map<String, String> titles = new HashMap<>();
    private List<String> named = List.of();
    private List<Row> open = new ArrayList<>();
    private String needs = "";
    private String action = "";

    private AdviceBook() {
        DataFile.read(AdviceBook.class, "advice.txt").lines().map(String::strip).forEach(this::read);
    }

    private void read(String line) {
        int colon = line.indexOf(" : ");
        if (line.startsWith("= ")) {
            open = new ArrayList<>();
            named = List.of(line.substring(2).split(" +", -1));
            named.forEach(name -> rows.put(name, open));
        } else if (line.startsWith("is")) {
            named.forEach(name -> titles.put(name, line.substring(colon + 3).strip()));
        } else if (line.startsWith("do")) {
            needs = line.substring(2, colon).strip();
            action = line.substring(colon + 3).strip();
        } else if (line.startsWith("why")) {
            Set<String> all = needs.isEmpty() ? Set.of() : Set.of(needs.split(" +", -1));
            String why = line.substring(colon + 3).strip();
            int link = why.indexOf(" https://");
            open.add(new Row(
                    all.stream().filter(need -> !need.equals(CACHE)).collect(Collectors.toSet()),
                    all.contains(CACHE),
                    action,
                    link < 0 ? why : why.substring(0, link),
                    link < 0 ? "" : why.substring(link + 1)));
        }
    }

    /** The rows of a name, the best first. */
    public List<Row> rows(String name) {
        return rows.getOrDefault(name, List.of());
    }

    /** The best advice of a name by itself; empty where there is none. */
    public Optional<Advice> advice(String name) {
        return rows(name).stream().findFirst().map(row -> Advice.of(row.action, row.why, 0, "", "", row.link));
    }

    /** The title of what happened, in place of what is said of all messages of the kind; null where nothing else is. */
    public @Nullable String title(String name) {
        return titles.get(name);
    }

    /** All names. */
    public Set<String> names() {
        return rows.keySet();
    }

    /** The text with the values at their places; null where one is missing. */
    static @Nullable String filled(String text, Map<String, String> values) {
        Matcher place = PLACE.matcher(text);
        StringBuilder filled = new StringBuilder();
        while (place.find()) {
            String value = values.get(place.group(1));
            if (value == null) {
                return null;
            }
            place.appendReplacement(filled, Matcher.quoteReplacement(value));
        }
        return place.appendTail(filled).toString();
    }
}
