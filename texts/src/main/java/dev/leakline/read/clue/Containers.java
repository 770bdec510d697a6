package dev.leakline.read.clue;

import dev.leakline.result.Conclusion.Resource;
import dev.leakline.source.Clue;
import dev.leakline.source.Clue.Kind;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds containers that use nearly all of their limit: in rows of {@code docker stats}, or of {@code kubectl top} where a limit stands in the same text. */
final class Containers {
    private static final Pattern DOCKER = Pattern.compile(
            "^\\s*\\S+\\s+(\\S+)\\s+[\\d.]+%\\s+(\\d[\\d.]*[kmgt]?i?b)\\s*/\\s*(\\d[\\d.]*[kmgt]?i?b)\\s+[\\d.]+%.*");
    private static final Pattern TOP =
            Pattern.compile("^\\s*(\\S+)\\s+(?:(\\S+)\\s+)?\\d+m\\s+(\\d+(?:\\.\\d+)?[kmgt]i)\\s*$");
    private static final Pattern LIMIT_HEAD = Pattern.compile("^\\s*name\\s+(?:memory[-_ ])?limits?\\s*$");
    private static final Pattern LIMIT_ROW = Pattern.compile("^\\s*(\\S+)\\s+(\\d+(?:\\.\\d+)?[kmgt]i?)\\s*$");
    /** From here on a host is as good as full: earlyoom and Ray act at 90 and 95 %. */
    private static final double NEARLY_FULL = 0.9;

    private record Row(String pod, String container, long bytes, long line) {
        boolean isOf(String name) {
            return container.equals(name) || pod.equals(name) || (container.isEmpty() && pod.startsWith(name + "-"));
        }

        String name() {
            return container.isEmpty() ? pod : container;
        }
    }

    private final Consumer<Clue> found;
    private final List<Row> rows = new ArrayList<>();
    private final Map<String, Long> limits = new LinkedHashMap<>();
    private boolean isTable;

    Containers(Consumer<Clue> found) {
        this.found = found;
    }

    /** Takes a line in small letters. */
    void take(String small, long number) {
        Matcher docker = DOCKER.matcher(small);
        Matcher top = TOP.matcher(small);
        Matcher limit = LIMIT_ROW.matcher(small);
        if (docker.matches()) {
            Row row = new Row(docker.group(1), "", Amounts.of(docker.group(2)), number);
            compare(row, Amounts.of(docker.group(3)));
        } else if (top.matches()) {
            String container = top.group(2) == null ? "" : top.group(2);
            rows.add(new Row(top.group(1), container, Amounts.of(top.group(3)), number));
        } else if (isTable && limit.matches()) {
            limits.put(limit.group(1), Amounts.of(limit.group(2)));
        } else {
            isTable = LIMIT_HEAD.matcher(small).matches();
        }
    }

    /** Compares rows with the limits of their names, or with the only limit that the text has. */
    void finish(List<Clue> clues) {
        List<Long> others = clues.stream()
                .filter(clue -> clue.kind() == Kind.LIMIT && clue.resource() == Resource.HOST)
                .map(Clue::bytes)
                .distinct()
                .toList();
        Optional<Long> only =
                limits.isEmpty() && others.size() == 1 ? Optional.of(others.getFirst()) : Optional.empty();
        for (Row row : rows) {
            limits.entrySet().stream()
                    .filter(limit -> row.isOf(limit.getKey()))
                    .map(Map.Entry::getValue)
                    .findFirst()
                    .or(() -> only)
                    .ifPresent(limit -> compare(row, limit));
        }
    }

    private void compare(Row row, long limit) {
        if (limit > 0 && row.bytes <= limit && row.bytes >= NEARLY_FULL * limit) {
            String text = row.name() + " uses " + ByteSize.format(row.bytes) + " of its limit of "
                    + ByteSize.format(limit) + " (" + Numbers.percent((double) row.bytes / limit) + ")";
            found.accept(new Clue(Kind.AT_LIMIT, Resource.HOST, row.bytes, row.line, text));
        }
    }
}
