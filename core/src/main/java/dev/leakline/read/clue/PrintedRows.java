package dev.leakline.read.clue;

import dev.leakline.result.Conclusion.Resource;
import dev.leakline.source.Clue;
import dev.leakline.source.Clue.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads rows that a {@code print} in the same text has made: {@code print(i, torch.cuda.memory_allocated() // 2**20)} and {@code 50 14371} below, or the
 * same as an f-string. The code tells which number is memory, and its unit.
 */
final class PrintedRows {
    private static final Pattern PRINT = Pattern.compile("\\b(?:print|logger\\.\\w+|logging\\.\\w+)\\((.+)\\)");
    private static final Pattern PART = Pattern.compile("f?\"([^\"]*)\"|f?'([^']*)'|((?:[^,()\"']|\\([^()]*\\))+)");
    private static final Pattern FIELD = Pattern.compile("\\{([^{}:]+)(?::[^{}]*)?}");
    /** Between arguments, and arguments such as {@code flush=True}. */
    private static final Pattern NOTHING = Pattern.compile("\\s*(?:\\w+\\s*=(?!=).*)?");

    private static final String NUMBER = "(-?\\d+(?:\\.\\d+)?)";
    /** Readings from which on a rise with every one is no accident: one in six, of three in random order. */
    private static final int FEWEST = 3;
    /** A rise of less is what any two moments of a program differ by. */
    private static final double NOTABLE = 0.05;

    private record Row(double position, long bytes, long line, String text) {}

    private final List<Row> rows = new ArrayList<>();
    private final StringBuilder form = new StringBuilder();
    private @Nullable Pattern row;
    private int groups;
    private int positionGroup;
    private int bytesGroup;
    private double unit;

    /** Whether rows are expected, of which each counts. */
    boolean isOpen() {
        return row != null;
    }

    /** Takes a line. */
    void take(String text, long number) {
        Matcher print = PRINT.matcher(text);
        if (print.find() && Prints.isMemory(print.group(1))) {
            learn(print.group(1));
        } else if (row != null) {
            Matcher match = row.matcher(text.strip());
            if (match.matches()) {
                double position = positionGroup > 0 ? Double.parseDouble(match.group(positionGroup)) : rows.size();
                long bytes = Math.round(Double.parseDouble(match.group(bytesGroup)) * unit);
                rows.add(new Row(position, bytes, number, text.strip()));
            }
        }
    }

    /** Makes a pattern of what a call prints. */
    private void learn(String arguments) {
        form.setLength(0);
        groups = 0;
        positionGroup = 0;
        bytesGroup = 0;
        rows.clear();
        for (Matcher part = PART.matcher(arguments); part.find(); ) {
            String literal = part.group(1) == null ? part.group(2) : part.group(1);
            if (literal == null && NOTHING.matcher(part.group(3)).matches()) {
                continue;
            }
            form.append(form.isEmpty() ? "" : "\\s+");
            if (literal == null) {
                value(part.group(3));
            } else {
                template(literal);
            }
        }
        // A number alone may be anything; two, or a word beside it, are what was printed.
        row = bytesGroup > 0 && (groups > 1 || form.length() > NUMBER.length())
                ? Pattern.compile(form.toString())
                : null;
    }

    private void template(String literal) {
        int from = 0;
        Matcher field = FIELD.matcher(literal);
        while (field.find()) {
            quote(literal.substring(from, field.start()));
            value(field.group(1));
            from = field.end();
        }
        quote(literal.substring(from));
    }

    private void quote(String words) {
        if (!words.isEmpty()) {
            form.append(Pattern.quote(words.strip().isEmpty() ? words : words.stripTrailing()))
                    .append("\\s*");
        }
    }

    private void value(String expression) {
        groups++;
        form.append(NUMBER);
        if (bytesGroup == 0 && Prints.isMemory(expression)) {
            bytesGroup = groups;
            unit = Prints.unit(expression);
        } else if (positionGroup == 0 && bytesGroup == 0) {
            positionGroup = groups;
        }
    }

    /** Says by how much the rows rise, where each is higher than the one before and the last not by much less than the others. */
    void finish(Consumer<Clue> found) {
        if (rows.size() < FEWEST) {
            return;
        }
        for (int i = 1; i < rows.size(); i++) {
            if (rows.get(i).bytes() <= rows.get(i - 1).bytes()
                    || rows.get(i).position() <= rows.get(i - 1).position()) {
                return;
            }
        }
        Row last = rows.getLast();
        long total = last.bytes() - rows.getFirst().bytes();
        long lastRise = last.bytes() - rows.get(rows.size() - 2).bytes();
        if (total >= NOTABLE * last.bytes() && 2 * lastRise * (rows.size() - 1) >= total) {
            double turns = last.position() - rows.getFirst().position();
            say(found, Kind.GROWTH_TOTAL, total, last);
            say(found, Kind.GROWTH_RATE, Math.round(total / turns), last);
            say(found, Kind.ROSE_TO, last.bytes(), last);
        }
    }

    private static void say(Consumer<Clue> found, Kind kind, long bytes, Row row) {
        found.accept(new Clue(kind, Resource.DEVICE, bytes, row.line(), row.text()));
    }
}
