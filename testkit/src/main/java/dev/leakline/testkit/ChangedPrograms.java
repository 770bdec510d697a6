package dev.leakline.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Parts of the programs that leak and of their likes, changed: mostly still Python, by their lines and names, else by their characters. */
public final class ChangedPrograms {
    private static final Pattern NAME = Pattern.compile("\\b[A-Za-z_]\\w*");
    private static final List<String> PIECES = List.of(
            "(",
            ")",
            "[",
            "]",
            "{",
            "}",
            "'",
            "\"\"\"",
            ":",
            ",",
            "\\",
            "\n",
            "\t",
            "    ",
            "#",
            "\0",
            "if ",
            "else:",
            "def ",
            "class ",
            "lambda ",
            "async ",
            "await ",
            "yield ",
            "for ",
            " in ",
            "with ",
            "try:\n",
            "except ",
            "@",
            "=",
            ":=",
            "*",
            "**",
            ".",
            "->",
            "f'{",
            "return ",
            "global ",
            "del ",
            "not ",
            "self.",
            ".append(",
            ".backward(",
            "torch.",
            ".detach()",
            "[-1:]",
            "match x:\n case ",
            "0x",
            "1e",
            "\ud835",
            "\u00e9");
    /** Lines of a part. */
    private static final int LINES = 16;

    private final List<List<String>> programs = new ArrayList<>();

    /** Reads the programs below the folder of a checkout; the module that asks is one of its folders. */
    public ChangedPrograms() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("../testkit/scenarios"))) {
            for (Path file : files.filter(path -> path.toString().endsWith(".py"))
                    .sorted()
                    .toList()) {
                programs.add(Files.readAllLines(file));
            }
            programs.removeIf(List::isEmpty);
        }
    }

    /** A part of a program, changed. */
    public String next(RandomGenerator random) {
        List<String> part = new ArrayList<>(lines(random, random.nextInt(3, LINES)));
        for (int changes = random.nextInt(4); changes > 0 && !part.isEmpty(); changes--) {
            int at = random.nextInt(part.size());
            switch (random.nextInt(4)) {
                case 0 -> part.remove(at);
                case 1 -> part.add(random.nextInt(part.size()), part.get(at));
                case 2 -> part.addAll(at, like(part.get(at), lines(random, 3)));
                default -> part.set(at, renamed(part.get(at), lines(random, 1).getFirst(), random));
            }
        }
        String text = String.join("\n", part) + "\n";
        return random.nextInt(4) == 0 ? Fuzzing.changed(text, PIECES, random) : text;
    }

    private List<String> lines(RandomGenerator random, int most) {
        List<String> program = programs.get(random.nextInt(programs.size()));
        int from = random.nextInt(program.size());
        return program.subList(from, Math.min(program.size(), from + most));
    }

    /** Lines as deep as another. */
    private static List<String> like(String line, List<String> others) {
        String indent = line.substring(0, line.length() - line.stripLeading().length());
        return others.stream().map(other -> indent + other.strip()).toList();
    }

    /** A line with one of its names replaced by one of another. */
    private static String renamed(String line, String other, RandomGenerator random) {
        List<String> names =
                NAME.matcher(other).results().map(match -> match.group()).toList();
        List<String> own =
                NAME.matcher(line).results().map(match -> match.group()).toList();
        return names.isEmpty() || own.isEmpty()
                ? line
                : line.replaceFirst(
                        "\\b" + own.get(random.nextInt(own.size())) + "\\b",
                        Matcher.quoteReplacement(names.get(random.nextInt(names.size()))));
    }
}
