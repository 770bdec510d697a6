package dev.leakline.read.clue;

import dev.leakline.read.clue.Readings.Reading;
import dev.leakline.result.Conclusion.Resource;
import dev.leakline.source.Clue;
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
    private static final Pattern PART =
            Pattern.compile("f?\"([^\"]*)\"|f?'([^']*)'|((?:[^,()\"'f]|f(?![\"'])|\\([^()]*\\))+)");
    private static final Pattern FIELD = Pattern.compile("\\{([^{}:]+)(?::[^{}]*)?}");
    /** Between arguments, and arguments such as {@code flush=True}. */
    private static final Pattern NOTHING = Pattern.compile("\\s*(?:\\w+\\s*=(?!=).*)?");

    private static final String NUMBER = "(-?\\d+(?:\\.\\d+)?)";
    private final Readings rows = new Readings();
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
                rows.add(new Reading(position, bytes, number, text.strip()));
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

    /** Says by how much the rows rise. */
    void finish(Consumer<Clue> found) {
        rows.say(found, Resource.DEVICE);
    }
}
