package dev.leakline.cli.common;

import dev.leakline.source.ReadException;
import dev.leakline.source.ReadException.Code;
import dev.leakline.source.ReadLimits;
import dev.leakline.source.Source;
import dev.leakline.text.Printable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The command to try after an error, or after an answer that is empty: the last line on stderr, which works when it is pasted. */
public final class NextStep {
    /** Words that a shell takes as they stand. */
    private static final Pattern PLAIN = Pattern.compile("[\\w./@%+=:,-]+");

    /** How the program was called, which the launcher knows. */
    private static final String PROGRAM = quoted(System.getProperty("leakline.command", "leakline"));

    /** The words of the command that runs, as they were typed. */
    private static volatile List<String> typed = List.of();

    private static volatile String last = "";

    private NextStep() {}

    /** Tells which command runs; {@code words} are its name and its arguments. */
    public static void after(String... words) {
        typed = List.of(words);
    }

    /** Says which command to try, whose arguments are {@code words}; its help where one of them cannot be shown as it is, so not pasted. */
    public static void suggest(String... words) {
        if (Arrays.stream(words).allMatch(word -> Printable.of(word).equals(word))) {
            last = PROGRAM + " " + Arrays.stream(words).map(NextStep::quoted).collect(Collectors.joining(" "));
            Terminal.err().println("leakline: try: " + last);
        } else {
            help("leakline " + words[0]);
        }
    }

    /** Says where to read on about a command, such as {@code leakline fit}. */
    public static void help(String command) {
        help("", command);
    }

    /** The same after what may be meant. */
    static void help(String meant, String command) {
        last = typed(command) + " --help";
        Terminal.err().println("leakline: " + meant + "see " + last);
    }

    /** The command that was said last; empty where none was. */
    static String last() {
        return last;
    }

    /** A command as it is to be typed where this program was started. */
    static String typed(String command) {
        return command.replaceFirst("^leakline\\b", Matcher.quoteReplacement(PROGRAM));
    }

    /** Suggests a command for the first of some inputs, or its help where that is no file. */
    public static void suggestFor(List<String> inputs, String command) {
        String file = inputs.getFirst();
        if (isNameable(file)) {
            suggest(command, file);
        } else {
            help("leakline " + command);
        }
    }

    /** Suggests what to do about an input that could not be read. */
    static void afterUnreadable(String input, IOException failure) {
        Path path = isNameable(input) ? Path.of(input) : null;
        if (path == null) {
            Path missing = missing(input);
            Optional<Path> alike = missing == null ? Optional.empty() : alike(missing);
            alike.ifPresentOrElse(file -> suggestInstead(input, file), () -> help("leakline " + typedCommand()));
        } else if (Files.isDirectory(path)) {
            suggestForFolder(input, path);
        } else if (!Files.isReadable(path)) {
            help("leakline " + typedCommand());
        } else if (failure instanceof ReadException e && e.code() == Code.NOT_A_SNAPSHOT && isText(path)) {
            suggest(input.endsWith(".py") ? "lint" : "explain", input);
        } else {
            help("leakline run"); // it is empty, torn or something else: to be recorded
        }
    }

    private static String typedCommand() {
        return typed.isEmpty() || typed.getFirst().startsWith("-") ? "report" : typed.getFirst();
    }

    /** Suggests the same command with a file in the place of an input. */
    private static void suggestInstead(String input, Path file) {
        List<String> words = typed.contains(input) ? typed : List.of("report", input);
        suggest(words.stream()
                .map(word -> word.equals(input) ? file.toString() : word)
                .toArray(String[]::new));
    }

    /** Suggests what may read a folder that was given as an input. */
    public static void suggestForFolder(String input, Path folder) {
        List<Path> recordings = JobFiles.recordings(folder);
        if (recordings.size() == 1) {
            suggestInstead(input, recordings.getFirst());
        } else if (!recordings.isEmpty()) {
            suggest("ranks", folder.toString());
        } else if (hasFiles(folder)) {
            suggest("explain", folder.toString());
        } else {
            help("leakline run");
        }
    }

    private static boolean hasFiles(Path folder) {
        try (Stream<Path> files = Files.walk(folder, 3)) {
            return files.anyMatch(
                    file -> Files.isRegularFile(file) && file.toFile().length() > 0);
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns whether an input is a file or folder whose name can be shown and pasted as it is. */
    private static boolean isNameable(String input) {
        try {
            return !input.equals("-")
                    && Files.exists(Path.of(input))
                    && Printable.of(input).equals(input);
        } catch (InvalidPathException e) {
            return false;
        }
    }

    private static @Nullable Path missing(String input) {
        return input.equals("-") ? null : InputFiles.path(input);
    }

    /** The file beside one that is missing whose name is most like its own, with at most a third of the letters before its ending changed. */
    private static Optional<Path> alike(Path missing) {
        Path parent = missing.getParent();
        String name = missing.getFileName() == null ? "" : missing.getFileName().toString();
        int stem = name.indexOf('.') > 0 ? name.indexOf('.') : name.length();
        try (Stream<Path> files = Files.list(parent == null ? Path.of("") : parent)) {
            return files.filter(file -> Files.isRegularFile(file) && isNameable(file.toString()))
                    .filter(file -> changes(name, file.getFileName().toString()) <= stem / 3)
                    .min(Comparator.<Path>comparingInt(
                                    file -> changes(name, file.getFileName().toString()))
                            .thenComparing(Comparator.naturalOrder()));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Letters to insert, delete or replace to make one name of another (Levenshtein). */
    private static int changes(String from, String to) {
        int[] row = new int[to.length() + 1];
        Arrays.setAll(row, i -> i);
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[to.length()];
    }

    private static boolean isText(Path path) {
        try (InputStream file = Files.newInputStream(path)) {
            return Source.of(file, ReadLimits.DEFAULT).head().mayBeText();
        } catch (IOException e) {
            return false; // it is empty, or cannot be read
        }
    }

    private static String quoted(String word) {
        return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
