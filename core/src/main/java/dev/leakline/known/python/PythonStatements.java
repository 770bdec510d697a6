package dev.leakline.known.python;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The lines of a Python file with each statement on its first line: what goes on over several, in brackets, in a long string or after a backslash,
 * is joined, and its other lines are blank. Comments are left out.
 */
public final class PythonStatements {
    /** What is joined of a statement: a call with ten times the arguments of a long one. More is data, and no rule looks for it. */
    private static final int MOST_COLUMNS = 2000;

    private final List<String> joined = new ArrayList<>();
    /** For each line the number of the first of its statement. */
    private final List<Integer> firsts = new ArrayList<>();

    private final StringBuilder statement = new StringBuilder();
    private int lines;
    private int depth;
    /** The quotes in which the text is, empty outside of strings. */
    private String quotes = "";

    /** The statements of a file. */
    public PythonStatements(List<String> file) {
        file.forEach(this::add);
        end();
    }

    /** The lines of the file, as many as it has, without comments. */
    public List<String> lines() {
        return Collections.unmodifiableList(joined);
    }

    /** The number of the first line of the statement to which a line belongs. */
    public int first(int line) {
        return line > 0 && line <= firsts.size() ? firsts.get(line - 1) : line;
    }

    /** The number of the line after the statement to which a line belongs. */
    public int end(int line) {
        int end = line + 1;
        while (end <= firsts.size() && first(end) == first(line)) {
            end++;
        }
        return end;
    }

    private void add(String line) {
        boolean isFirst = lines++ == 0;
        int end = scan(line);
        boolean isContinued = end > 0 && quotes.isEmpty() && line.charAt(end - 1) == '\\';
        boolean isOpen = depth > 0 || !quotes.isEmpty() || isContinued;
        String text = line.substring(0, isContinued ? end - 1 : end);
        append(isFirst ? text.stripTrailing() : text.strip(), isFirst);
        if (!isOpen) {
            end();
        }
    }

    private void append(String text, boolean isFirst) {
        boolean isTight = isFirst || "([{".indexOf(last()) >= 0 || text.matches("[)\\]}].*");
        if (statement.length() + text.length() < MOST_COLUMNS) {
            statement.append(isTight ? "" : " ").append(text);
        }
    }

    private char last() {
        return statement.isEmpty() ? ' ' : statement.charAt(statement.length() - 1);
    }

    private void end() {
        firsts.addAll(Collections.nCopies(lines, joined.size() + 1));
        if (lines > 0) {
            joined.add(statement.toString());
            joined.addAll(Collections.nCopies(lines - 1, ""));
        }
        statement.setLength(0);
        lines = 0;
        depth = 0;
        quotes = "";
    }

    /** Goes through a line; returns where its comment begins, or its end. */
    private int scan(String line) {
        int at = 0;
        while (at < line.length()) {
            if (quotes.isEmpty() && line.charAt(at) == '#') {
                return line.substring(0, at).stripTrailing().length();
            }
            at += quotes.isEmpty() ? outside(line, at) : inside(line, at);
        }
        quotes = quotes.length() == 1 ? "" : quotes;
        return line.length();
    }

    private int outside(String line, int at) {
        char c = line.charAt(at);
        if (c == '"' || c == '\'') {
            String triple = String.valueOf(c).repeat(3);
            quotes = line.startsWith(triple, at) ? triple : String.valueOf(c);
            return quotes.length();
        }
        depth += "([{".indexOf(c) >= 0 ? 1 : 0;
        depth -= ")]}".indexOf(c) >= 0 && depth > 0 ? 1 : 0;
        return 1;
    }

    private int inside(String line, int at) {
        if (line.charAt(at) == '\\') {
            return 2;
        }
        boolean isEnd = line.startsWith(quotes, at);
        int length = isEnd ? quotes.length() : 1;
        quotes = isEnd ? "" : quotes;
        return length;
    }
}
