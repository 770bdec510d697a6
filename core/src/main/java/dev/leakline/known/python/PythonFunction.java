package dev.leakline.known.python;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * The function of a Python file in which a line stands, as its indentation shows. Lines are counted from 1; a line that another continues is
 * not joined with it.
 */
public final class PythonFunction {
    private static final Pattern DEFINITION = Pattern.compile("\\s*(async\\s+)?def\\s.*");
    private static final Pattern CONDITION = Pattern.compile("\\s*(if|elif|else|except)\\b.*");
    private static final Pattern LOOP = Pattern.compile("\\s*(async\\s+)?(for|while)\\b.*");

    private final List<String> lines;
    /** The line of the definition, 0 where the code is a module's. */
    private final int definition;
    /** The line after the last. */
    private final int end;

    private final int number;

    private PythonFunction(List<String> lines, int number) {
        this.lines = lines;
        this.number = number;
        this.definition = definition();
        this.end = findEnd();
    }

    /** The function in which a line of a file stands; the module where it stands in none. */
    public static PythonFunction of(List<String> file, int line) {
        return new PythonFunction(file, line);
    }

    private int definition() {
        int indent = indent(line(number));
        for (int above = number - 1; above > 0; above--) {
            String text = line(above);
            if (!text.isBlank() && indent(text) < indent) {
                indent = indent(text);
                if (DEFINITION.matcher(text).matches()) {
                    return above;
                }
            }
        }
        return 0;
    }

    private int findEnd() {
        int after = number + 1;
        int indent = definition == 0 ? -1 : indent(line(definition));
        while (after <= lines.size() && (line(after).isBlank() || indent(line(after)) > indent)) {
            after++;
        }
        return after;
    }

    /** A line without the comment at its end. */
    public String line(int line) {
        String text = lines.get(line - 1);
        int comment = text.contains("'") || text.contains("\"") ? -1 : text.indexOf('#');
        return comment < 0 ? text : text.substring(0, comment);
    }

    /** The number of the line by which it was found. */
    public int number() {
        return number;
    }

    /** The lines of its file. */
    public List<String> file() {
        return lines;
    }

    /** Whether the file of the function has a line that matches. */
    public boolean isInFile(Pattern pattern) {
        return lines.stream().anyMatch(text -> pattern.matcher(text).matches());
    }

    /** The number of the line after the function's last. */
    public int end() {
        return end;
    }

    /** The decorators of the function. */
    public List<Integer> decorators() {
        List<Integer> found = new ArrayList<>();
        for (int above = definition - 1; above > 0 && line(above).strip().startsWith("@"); above--) {
            found.add(above);
        }
        return found;
    }

    /** The lines that begin the blocks in which a line stands, within the function, the innermost first. */
    public List<Integer> blocks(int line) {
        List<Integer> found = new ArrayList<>();
        int indent = indent(line(line));
        for (int above = line - 1; above > definition; above--) {
            String text = line(above);
            if (!text.isBlank() && indent(text) < indent) {
                indent = indent(text);
                found.add(above);
            }
        }
        return found;
    }

    /** Whether a line stands in a block, or the function under a decorator, that is wanted. */
    public boolean isUnder(int line, Predicate<String> isWanted) {
        return blocks(line).stream().map(this::line).anyMatch(isWanted)
                || decorators().stream().map(this::line).anyMatch(isWanted);
    }

    /** The lines from one of the function's to its end; those of the loop around it from its beginning, since it comes there again. */
    public List<Integer> after(int line) {
        int first = line;
        for (int block : blocks(line)) {
            first = LOOP.matcher(line(block)).matches() ? block : first;
        }
        List<Integer> found = new ArrayList<>();
        for (int next = line; next < end; next++) {
            found.add(next);
        }
        for (int next = first; next < line; next++) {
            found.add(next);
        }
        return found;
    }

    /** All lines of the function. */
    public List<Integer> all() {
        return lines(definition + 1);
    }

    /** The lines of the outermost loop of the function in which a line stands; none where it stands in none. */
    public List<Integer> outermostLoop(int line) {
        return blocks(line).stream()
                .filter(block -> LOOP.matcher(line(block)).matches())
                .reduce((_, outer) -> outer)
                .map(this::block)
                .orElseGet(List::of);
    }

    /** The lines of the innermost loop of the function in which a line stands; none where it stands in none. */
    public List<Integer> loop(int line) {
        return blocks(line).stream()
                .filter(block -> LOOP.matcher(line(block)).matches())
                .findFirst()
                .map(this::block)
                .orElseGet(List::of);
    }

    /** Whether no condition of the function stands around a line. */
    public boolean isUnconditional(int line) {
        return blocks(line).stream().map(this::line).noneMatch(PythonFunction::isCondition);
    }

    /** Whether a line decides whether the block that it begins runs. */
    public static boolean isCondition(String block) {
        return CONDITION.matcher(block).matches();
    }

    /** Its name; empty where the code is a module's. */
    public String name() {
        return definition == 0 ? "" : line(definition).strip().replaceFirst("^(async\\s+)?def\\s+(\\w+).*", "$2");
    }

    /** The number of the line of its definition; empty where the code is a module's. */
    public Optional<Integer> head() {
        return definition == 0 ? Optional.empty() : Optional.of(definition);
    }

    private List<Integer> block(int head) {
        return lines(head + 1).stream().takeWhile(next -> isIn(next, head)).toList();
    }

    private List<Integer> lines(int first) {
        return IntStream.range(first, end).boxed().toList();
    }

    private boolean isIn(int line, int block) {
        return line(line).isBlank() || indent(line(line)) > indent(line(block));
    }

    private static int indent(String text) {
        return text.length() - text.stripLeading().length();
    }
}
