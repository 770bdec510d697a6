package dev.leakline.known.edit;

import dev.leakline.known.edit.SourceEdit.Change;
import dev.leakline.known.python.PythonFunction;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Where a function, or an iteration of its loop, ends after one of its lines. */
public final class SourceExits {
    private static final Pattern LEFT = Pattern.compile("(return|continue)\\b.*");
    private static final Pattern OVER = Pattern.compile("(return|continue|break|raise)\\b.*");

    private SourceExits() {}

    /** A statement before each exit after a line, and where the lines end; none where a single line is all there is. */
    public static List<Change> before(PythonFunction function, int line, String statement) {
        boolean isHead = function.head().filter(head -> head == line).isPresent();
        List<Integer> loop = isHead ? List.of() : function.loop(line);
        List<Integer> lines = (loop.isEmpty() ? function.all() : loop)
                .stream().filter(next -> !function.line(next).isBlank()).toList();
        List<Change> changes = new ArrayList<>();
        for (int next : lines) {
            boolean isOwn = PythonFunction.of(function.file(), next).head().equals(function.head());
            if (next > line
                    && isOwn
                    && LEFT.matcher(function.line(next).strip()).matches()) {
                changes.add(Change.of(
                        function.file(),
                        next,
                        statement + "\n" + function.line(next).strip()));
            }
        }
        int last = lines.getLast();
        if (last >= line && !OVER.matcher(function.line(last).strip()).matches()) {
            String first = function.line(lines.getFirst());
            String indent =
                    first.substring(0, first.length() - first.stripLeading().length());
            changes.add(new Change(function.file(), last, function.line(last) + "\n" + indent + statement));
        }
        return changes;
    }
}
