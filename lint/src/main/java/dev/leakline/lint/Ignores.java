package dev.leakline.lint;

import dev.leakline.python.PythonFile;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Comments that switch rules off: {@code # leakline: ignore[LK001]} on the line, {@code # leakline: ignore-file} for the whole file. */
final class Ignores {
    private static final Pattern COMMENT =
            Pattern.compile("#[^#]*?\\bleakline:\\s*ignore(-file)?\\s*(?:\\[([^\\]]*)])?", Pattern.CASE_INSENSITIVE);
    private static final String ALL = "*";

    private final Map<Integer, Set<String>> lines = new HashMap<>();
    private final Set<String> everywhere = new HashSet<>();

    Ignores(PythonFile file) {
        for (PythonFile.Comment comment : file.comments()) {
            Matcher matcher = COMMENT.matcher(file.text().text().substring(comment.start(), comment.end()));
            if (matcher.find()) {
                String rules = matcher.group(2);
                List<String> ids = rules == null
                        ? List.of(ALL)
                        : Pattern.compile("[\\s,]+")
                                .splitAsStream(rules.toUpperCase(Locale.ROOT))
                                .toList();
                (matcher.group(1) != null
                                ? everywhere
                                : lines.computeIfAbsent(file.text().line(comment.start()), _ -> new HashSet<>()))
                        .addAll(ids);
            }
        }
    }

    /** Returns whether a comment switches the rule off on one of these lines. */
    boolean covers(String rule, int first, int last) {
        if (everywhere.contains(ALL) || everywhere.contains(rule)) {
            return true;
        }
        for (int line = first; line <= last; line++) {
            Set<String> here = lines.getOrDefault(line, Set.of());
            if (here.contains(ALL) || here.contains(rule)) {
                return true;
            }
        }
        return false;
    }
}
