package dev.leakline.lint;

import dev.leakline.lint.LintFinding.Severity;
import dev.leakline.text.DataFile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.regex.Pattern;

/**
 * A rule and its reasons, from {@code rules.txt} beside this class.
 *
 * @param costs what it costs, in words
 * @param why it is so
 * @param fix what to do instead
 * @param exempt what looks like it and is none
 * @param link where to read on
 * @param causes the ids, in reports of what a run did, of the causes that this code has there
 */
public record Rule(
        String id,
        String name,
        Severity severity,
        String costs,
        String why,
        String fix,
        String exempt,
        String link,
        List<String> causes) {
    private static final Map<String, Rule> ALL = read();

    public static List<Rule> all() {
        return List.copyOf(ALL.values());
    }

    public static boolean exists(String id) {
        return ALL.containsKey(id);
    }

    /** The rule of an id such as LK001, in upper or lower case. */
    public static Rule of(String id) {
        Rule rule = ALL.get(id.toUpperCase(Locale.ROOT));
        if (rule == null) {
            throw new NoSuchElementException("no rule " + id + "; there are " + String.join(", ", ALL.keySet()));
        }
        return rule;
    }

    /** All that is known of it, for a reader. */
    public String explanation() {
        return "%s %s (%s)%n%n%s%n%nCosts: %s%n%nFix: %s%n%nNot a finding: %s%n%nCause in reports: %s%n%nMore: %s%n"
                .formatted(
                        id,
                        name,
                        severity.word(),
                        why,
                        costs,
                        fix,
                        exempt,
                        causes.isEmpty() ? "none" : String.join(", ", causes),
                        link);
    }

    private static Map<String, Rule> read() {
        Map<String, Rule> rules = new LinkedHashMap<>();
        for (String paragraph : DataFile.read(Rule.class, "rules.txt").strip().split("\\n\\s*\\n", -1)) {
            Rule rule = parse(paragraph);
            rules.put(rule.id(), rule);
        }
        return rules;
    }

    private static Rule parse(String paragraph) {
        List<String> lines = new ArrayList<>(List.of(paragraph.split("\\n", -1)));
        String[] head = lines.removeFirst().split(" ", -1);
        Map<String, String> fields = new LinkedHashMap<>();
        for (String line : lines) {
            int colon = line.indexOf(": ");
            fields.put(line.substring(0, colon), line.substring(colon + 2));
        }
        return new Rule(
                head[0],
                head[1],
                Severity.valueOf(head[2].toUpperCase(Locale.ROOT)),
                fields.getOrDefault("costs", ""),
                fields.getOrDefault("why", ""),
                fields.getOrDefault("fix", ""),
                fields.getOrDefault("not", ""),
                fields.getOrDefault("link", ""),
                Pattern.compile(" ")
                        .splitAsStream(fields.getOrDefault("causes", ""))
                        .filter(cause -> !cause.isEmpty())
                        .toList());
    }
}
