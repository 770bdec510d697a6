package dev.leakline.known;

import dev.leakline.text.DataRow;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The causes and remedies of {@code causes.txt}, which explains its form. */
final class CauseBook {
    /** All of them. */
    static final CauseBook ALL = new CauseBook();

    private final Map<String, List<Remedy>> remedies = new HashMap<>();
    private final Map<String, Entry> entries = new LinkedHashMap<>();

    private record Entry(Cause cause, boolean isOfDumps) {}

    private CauseBook() {
        DataRow.read(CauseBook.class, "causes.txt", Set.of("why", "as")).stream()
                .collect(Collectors.groupingBy(DataRow::head, LinkedHashMap::new, Collectors.toList()))
                .forEach(this::add);
    }

    private void add(String head, List<DataRow> rows) {
        List<String> words = List.of(head.split(" ", -1));
        List<Remedy> all = rows.stream().flatMap(row -> remedies(row).stream()).toList();
        DataRow first = rows.getFirst();
        if (words.size() == 1) {
            remedies.put(head, all);
        } else {
            Cause cause = new Cause(words.get(1), first.says("title"), first.says("text"), all);
            entries.put(words.getFirst(), new Entry(cause, words.contains("dump")));
        }
    }

    private List<Remedy> remedies(DataRow row) {
        return row.end().equals("as")
                ? remedies(row.says("as"))
                : List.of(remedy(row, row.says("why").lastIndexOf(" https://")));
    }

    private static Remedy remedy(DataRow row, int link) {
        String why = row.says("why");
        return new Remedy(row.says("do"), why.substring(0, link), why.substring(link + 1));
    }

    /** The remedies of a name that several causes have. */
    List<Remedy> remedies(String name) {
        return Objects.requireNonNull(remedies.get(name), name);
    }

    /** The cause of a name. */
    Cause cause(String name) {
        return Objects.requireNonNull(entries.get(name), name).cause();
    }

    /** The first cause that fits. */
    Optional<Cause> first(Predicate<Cause> fits) {
        return entries.values().stream().map(Entry::cause).filter(fits).findFirst();
    }

    /** The first cause that holder dumps give by an id. */
    Optional<Cause> ofDumps(String id) {
        return entries.values().stream()
                .filter(Entry::isOfDumps)
                .map(Entry::cause)
                .filter(cause -> cause.id().equals(id))
                .findFirst();
    }
}
