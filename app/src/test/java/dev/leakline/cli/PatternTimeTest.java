package dev.leakline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Every static pattern of the program against hostile text: characters that it looks at, of which four times the text may take some four times as
 * many, not sixteen. Characters and no seconds, so that a busy machine changes nothing. A pattern is tried by the methods that its class uses.
 */
class PatternTimeTest {
    /** What takes few looks at so short a text is not tried longer: the square of it is a hundred for each character, and more. */
    private static final int FIRST = 250;

    private static final int SHORT = 1_000;
    private static final int LONG = 4_000;
    /** Looks that are few, as each character may be asked for by each part of a pattern. */
    private static final long FEW = 60L * FIRST;
    /** As many as the square of the short text. */
    private static final long MOST = (long) SHORT * SHORT;
    /** Four times as many, and half of that again. */
    private static final long LINEAR = 6;
    /** The texts that take the most are tried longer. */
    private static final int TRIED = 3;

    private static final List<String> PIECES = List.of(
            "a",
            "aB3",
            "a.",
            "a-",
            "a_",
            "A",
            "0",
            "1.",
            "1,",
            "1:",
            " ",
            "\t",
            "a ",
            "1 ",
            "/a",
            "a/",
            "/",
            "\\",
            "\\a\\",
            "(",
            "[",
            "{",
            "\"",
            "'",
            ":",
            "a:",
            "a=",
            "a=1 ",
            "1 GiB ",
            "GiB ",
            "1.1.",
            "-",
            "--a ",
            "#",
            ".",
            ",",
            "a,",
            "| ",
            "a|",
            "%",
            "1%",
            "é",
            "a@",
            "=",
            "x=",
            "(a)",
            "[1]",
            "0x",
            "-1",
            "1e",
            "rank",
            "memory ",
            "used ",
            "total ",
            "<a",
            "1/1 ",
            "10:00:00 ",
            "1MiB / ",
            "f(",
            "a.b(",
            "://",
            "a://",
            "##",
            "key ",
            "\u001b[");

    @Test
    void noPatternTakesMoreThanTimeInProportionToTheText() throws IOException {
        List<String> slow = new ArrayList<>();
        for (Map.Entry<String, Pattern> entry : patterns().entrySet()) {
            Set<String> uses = uses(entry.getKey());
            String worst = worst(entry.getValue(), uses);
            if (!worst.isEmpty()) {
                slow.add(entry.getKey() + " by " + uses + " with " + worst + ": " + entry.getValue());
            }
        }
        assertThat(slow).as("patterns whose time grows faster than the text").isEmpty();
    }

    /** The piece that a pattern is too slow with, if any. */
    private static String worst(Pattern pattern, Set<String> uses) {
        Set<String> words = Pattern.compile("[A-Za-z][A-Za-z ]{2,}")
                .matcher(pattern.pattern())
                .results()
                .map(match -> match.group().strip())
                .limit(4)
                .collect(Collectors.toCollection(LinkedHashSet::new));
        List<String> pieces = new ArrayList<>(PIECES);
        words.forEach(word -> pieces.addAll(List.of(word, word + " ", word + " 1 ")));
        List<Trial> trials = new ArrayList<>();
        for (String before :
                words.isEmpty() ? List.of("") : List.of("", words.iterator().next() + " ")) {
            for (String piece : pieces) {
                for (String use : uses) {
                    trials.add(new Trial(before, piece, use, looks(pattern, text(before, piece, FIRST), use, MOST)));
                }
            }
        }
        return trials.stream()
                .filter(trial -> trial.few > FEW)
                .sorted(Comparator.comparingLong(Trial::few).reversed())
                .limit(TRIED)
                .filter(trial -> isSlow(pattern, trial))
                .findFirst()
                .map(trial -> '"' + trial.before + trial.piece + "...\"")
                .orElse("");
    }

    private static boolean isSlow(Pattern pattern, Trial trial) {
        long most = LINEAR * Math.max(FEW, looks(pattern, text(trial.before, trial.piece, SHORT), trial.use, MOST));
        return looks(pattern, text(trial.before, trial.piece, LONG), trial.use, most) > most;
    }

    private record Trial(String before, String piece, String use, long few) {}

    private static String text(String before, String piece, int length) {
        return before + piece.repeat(length / piece.length()) + "\u0001";
    }

    private static long looks(Pattern pattern, String text, String use, long most) {
        Counted counted = new Counted(text, most);
        try {
            Matcher matcher = pattern.matcher(counted);
            switch (use) {
                case "matches" -> {
                    boolean _ = matcher.matches();
                }
                case "lookingAt" -> {
                    boolean _ = matcher.lookingAt();
                }
                default -> {
                    while (matcher.find()) {
                        counted.looks++;
                    }
                }
            }
        } catch (TooMany | StackOverflowError e) {
            return most + 1;
        }
        return counted.looks;
    }

    /** The methods of matchers that the source of a class calls on those of a field; all that search where it does not show. */
    private static Set<String> uses(String name) throws IOException {
        String type = name.replaceAll("[#$].*", "");
        String field = name.replaceAll(".*#([A-Z_0-9]+).*", "$1");
        Path file = null;
        for (String module : MODULES) {
            Path here = Path.of("..", module, "src/main/java", type.replace('.', '/') + ".java");
            file = Files.exists(here) ? here : file;
        }
        if (file == null || name.contains("[")) {
            return name.contains("KnownTables#ROWS") ? Set.of("matches") : Set.of("find"); // RowForm.match
        }
        String source = Files.readString(file);
        Set<String> uses = new TreeSet<>();
        for (int at = source.indexOf(field); at >= 0; at = source.indexOf(field, at + 1)) {
            boolean isPart = Character.isJavaIdentifierPart(source.charAt(at - 1))
                    || Character.isJavaIdentifierPart(source.charAt(at + field.length()));
            if (!isPart && !source.substring(0, at).endsWith("Pattern ")) {
                uses.addAll(called(source, at, field));
            }
        }
        return uses.isEmpty() || uses.stream().anyMatch(use -> !WHOLE.contains(use)) ? Set.of("find") : uses;
    }

    private static final Set<String> WHOLE = Set.of("matches", "lookingAt");

    /** What is called at one use: right there, or of the variable that the matcher is put into. */
    private static Set<String> called(String source, int at, String field) {
        Matcher chain =
                Pattern.compile("\\s*\\.matcher\\(").matcher(source).region(at + field.length(), source.length());
        if (!chain.lookingAt()) {
            return Set.of("find");
        }
        int end = chain.end();
        for (int depth = 1; depth > 0; end++) {
            depth += source.charAt(end) == '(' ? 1 : source.charAt(end) == ')' ? -1 : 0;
        }
        Matcher next = Pattern.compile("\\s*\\.(\\w+)\\(").matcher(source).region(end, source.length());
        if (next.lookingAt()) {
            return next.group(1).equals("region") ? Set.of("lookingAt") : Set.of(next.group(1));
        }
        Matcher variable = Pattern.compile("(\\w+) = (?:[^;=]{1,80}\\?[^;=]{0,40}:)?\\s*$")
                .matcher(source.substring(Math.max(0, at - 160), at));
        return variable.find()
                ? Pattern.compile("\\b" + variable.group(1)
                                + "\\s*\\.(matches|lookingAt|find|results|replaceAll|replaceFirst)\\(")
                        .matcher(source)
                        .results()
                        .map(match -> match.group(1))
                        .collect(Collectors.toSet())
                : Set.of("find");
    }

    private static final List<String> MODULES = modules();

    /** The folders of modules; the program's classes are found where the build put them. */
    private static List<String> modules() {
        try (Stream<Path> folders = Files.list(Path.of(".."))) {
            return folders.filter(folder -> Files.isDirectory(folder.resolve("src/main/java")))
                    .map(folder -> folder.getFileName().toString())
                    .filter(name -> !Set.of("testkit", "benchmarks").contains(name))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** All patterns in static fields and in what these hold, the same only once. */
    private static Map<String, Pattern> patterns() throws IOException {
        Map<String, Pattern> found = new TreeMap<>();
        Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        int classes = 0;
        for (String module : MODULES) {
            Path root = Path.of("..", module, "target/classes");
            if (!Files.isDirectory(root)) {
                continue;
            }
            try (Stream<Path> files = Files.walk(root)) {
                for (Path file :
                        files.filter(path -> path.toString().endsWith(".class")).toList()) {
                    String name =
                            root.relativize(file).toString().replace('/', '.').replaceFirst("\\.class$", "");
                    if (name.startsWith("dev.leakline.") && !name.endsWith("-info")) {
                        classes += collect(name, found, seen);
                    }
                }
            }
        }
        assertThat(classes).isGreaterThan(1_000);
        assertThat(found).hasSizeGreaterThan(300);
        return found;
    }

    private static int collect(String name, Map<String, Pattern> found, Set<Object> seen) {
        try {
            Class<?> type = Class.forName(name);
            for (Field field : type.getDeclaredFields()) {
                if (Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive()) {
                    field.setAccessible(true);
                    collect(field.get(null), name + "#" + field.getName(), found, seen, 0);
                }
            }
            return 1;
        } catch (ReflectiveOperationException | LinkageError e) {
            return 0; // of another module's libraries, or of another system
        }
    }

    private static void collect(Object value, String name, Map<String, Pattern> found, Set<Object> seen, int depth)
            throws IllegalAccessException {
        if (value == null || depth > 5 || !seen.add(value)) {
            return;
        }
        switch (value) {
            case Pattern pattern -> found.put(name, pattern);
            case Collection<?> all -> {
                int number = 0;
                for (Object one : all) {
                    collect(one, name + "[" + number++ + "]", found, seen, depth + 1);
                }
            }
            case Map<?, ?> all ->
                collect(List.of(List.copyOf(all.keySet()), List.copyOf(all.values())), name, found, seen, depth + 1);
            case Object[] all ->
                collect(Stream.of(all).filter(one -> one != null).toList(), name, found, seen, depth + 1);
            default -> {
                if (value.getClass().getName().startsWith("dev.leakline.")) {
                    for (Field field : value.getClass().getDeclaredFields()) {
                        if (!Modifier.isStatic(field.getModifiers())
                                && !field.getType().isPrimitive()) {
                            field.setAccessible(true);
                            collect(field.get(value), name + "[." + field.getName() + "]", found, seen, depth + 1);
                        }
                    }
                }
            }
        }
    }

    private static final class TooMany extends RuntimeException {
        TooMany() {
            super(null, null, false, false);
        }
    }

    /** A text that counts how often it is looked at. */
    private static final class Counted implements CharSequence {
        private final String text;
        private final long most;
        private long looks;

        Counted(String text, long most) {
            this.text = text;
            this.most = most;
        }

        @Override
        public char charAt(int index) {
            if (++looks > most) {
                throw new TooMany();
            }
            return text.charAt(index);
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return text.subSequence(start, end);
        }

        @Override
        public String toString() {
            return text;
        }
    }
}
