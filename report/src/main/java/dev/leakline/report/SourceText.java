package dev.leakline.report;

import static java.util.stream.Collectors.joining;

import dev.leakline.report.terminal.Labels;
import dev.leakline.report.terminal.Style;
import dev.leakline.result.Finding.SourceLines;
import dev.leakline.text.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Lines of source with their numbers, the one that matters marked. */
final class SourceText {
    private static final String TAB = "    ";

    private SourceText() {}

    /** The lines, each cut to the terminal; {@code marked} is the number of the one that matters. */
    static List<String> lines(SourceLines source, int marked, Style style) {
        int digits = String.valueOf(source.firstLine() + source.lines().size()).length();
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < source.lines().size(); i++) {
            int number = source.firstLine() + i;
            String gutter = String.format("  %s %" + digits + "d  ", number == marked ? ">" : " ", number);
            String line = Labels.end(gutter + code(source.lines().get(i)), style.columns(), style);
            lines.add(number == marked ? style.bold(line.stripTrailing()) : style.faint(line.stripTrailing()));
        }
        return lines;
    }

    /** A line of code that is to be given to another program: its tabs stay. */
    static String exact(String line) {
        return Stream.of(line.split("\t", -1)).map(Printable::of).collect(joining("\t"));
    }

    /** A line of code as it may be shown. */
    static String code(String line) {
        return Printable.of(line.replace("\t", TAB));
    }
}
