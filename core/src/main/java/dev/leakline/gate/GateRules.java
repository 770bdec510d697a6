package dev.leakline.gate;

import dev.leakline.result.Finding;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The rules of what a gate lets through.
 *
 * @param counts which findings fail, where no budget allows them
 * @param budgets what is allowed
 * @param accepted findings and budgets that may fail
 */
public record GateRules(Predicate<Finding> counts, List<Budget> budgets, List<Acceptance> accepted) {
    private static final String KNOWN = "it has budgets, accept and fail-on";

    /**
     * A finding, or a budget, that may fail.
     *
     * @param id its id
     * @param until the last day on which it may
     * @param why somebody decided so
     */
    public record Acceptance(String id, LocalDate until, String why) {
        /** Returns whether it still holds on a day. */
        boolean holds(LocalDate day) {
            return !day.isAfter(until);
        }
    }

    /** A copy with more budgets, which take the place of those of the same name. */
    public GateRules with(List<Budget> more) {
        List<String> names = more.stream().map(Budget::name).toList();
        Stream<Budget> rest = budgets.stream().filter(budget -> !names.contains(budget.name()));
        return new GateRules(counts, Stream.concat(rest, more.stream()).toList(), accepted);
    }

    /**
     * The rules of a table of settings: {@code budgets}, a list of texts; {@code accept}, a list of tables with {@code id}, {@code until} and {@code why}.
     *
     * @param file where it stands, for errors
     * @throws IllegalArgumentException where the table holds anything else; {@code fail-on} is passed over
     */
    public static GateRules of(Predicate<Finding> counts, Map<String, Object> table, String file) {
        List<Budget> budgets = new ArrayList<>();
        List<Acceptance> accepted = new ArrayList<>();
        table.forEach((name, value) -> {
            switch (name) {
                case "budgets" -> list(value, name, file).forEach(one -> budgets.add(budget(one, file)));
                case "accept" -> list(value, name, file).forEach(one -> accepted.add(acceptance(one, file)));
                case "fail-on" -> {}
                default ->
                    throw new IllegalArgumentException(
                            "%s: [tool.leakline.gate] has no %s; %s".formatted(file, name, KNOWN));
            }
        });
        return new GateRules(counts, budgets, accepted);
    }

    private static List<?> list(Object value, String name, String file) {
        if (value instanceof List<?> list) {
            return list;
        }
        throw new IllegalArgumentException(file + ": " + name + " of [tool.leakline.gate] is no list");
    }

    private static Budget budget(Object written, String file) {
        try {
            return Budget.parse(String.valueOf(written));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
        }
    }

    private static Acceptance acceptance(Object written, String file) {
        if (written instanceof Map<?, ?> entry
                && entry.get("id") instanceof String id
                && entry.get("until") != null
                && entry.get("why") instanceof String why
                && !why.isBlank()) {
            return new Acceptance(id, date(String.valueOf(entry.get("until")), file), why);
        }
        throw new IllegalArgumentException(file
                + ": an entry of accept needs {id = \"...\", until = \"2026-12-31\", why = \"...\"}, found " + written);
    }

    private static LocalDate date(String text, String file) {
        try {
            return LocalDate.parse(text);
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(file + ": '" + text + "' is no day; expected one like 2026-12-31", e);
        }
    }
}
