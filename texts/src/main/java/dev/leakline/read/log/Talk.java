package dev.leakline.read.log;

import dev.leakline.text.Ascii;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Tells what happened from what is only spoken of: advice, documents, source code, names of tests, lists of changes. Asked only of texts without
 * sizes, which anybody may write.
 */
final class Talk {
    /** How far before a text its line is looked at, and how far behind it. */
    private static final int MOST_BEFORE = 80;

    private static final int MOST_AFTER = 40;
    /** How far before a message the name of its exception is looked for: {@code CUDA error: } may stand between. */
    private static final int MOST_TO_NAME = 24;

    /** Words before a text in source code, and in what prints it. */
    private static final List<String> CODE = List.of(
            "except ",
            "assert ",
            "assert(",
            "assertraises",
            "raise ",
            "throw ",
            "print(",
            "msg =",
            "message =",
            "const ",
            "catch (",
            "in str(",
            "//",
            "/*",
            "regex",
            "grep",
            "::test",
            "expect",
            "match=",
            "return ",
            "warn(",
            "log.",
            "logger.",
            "== \"",
            "== '");

    /** Words before a text in a condition, a wish, a change that was made. */
    private static final List<String> SUPPOSED = List.of(
            "if ", "when ", "avoid", "prevent", "against", "catch", "such as", "e.g.", "without", "never", "fix",
            "helps", "like ", "about", "handle", "see ", "how to", "why ", "get ", "got ", "getting");

    /** Words behind a text in source code, and in what prints it. */
    private static final List<String> CODE_BEHIND =
            List.of(" in str(", "%s", "%d", "\" in", "' in", " as e", "\";", "return ");

    /** Words behind a text that is only named. */
    private static final List<String> NAMED = List.of(
            "is caught",
            "issue",
            "is handled",
            "are unlikely",
            " can ",
            " may ",
            " might ",
            " will ",
            " occurs",
            " happens",
            "errors",
            "skipping",
            "retry",
            "was fixed",
            "problems",
            " means ",
            " = ");

    /** Words in a line about something that failed. */
    private static final List<String> LEVELS = List.of(
            "error",
            "fatal",
            "critical",
            "fail",
            "exception",
            "[e]",
            " e ",
            "warn",
            "panic",
            "abort",
            "emerg",
            "killed",
            "crash");

    /** Blanks and marks of Markdown at the end. */
    private static final Pattern EMPHASIS = Pattern.compile("(?<![\\s*_`])[\\s*_`]+$");

    private static final Pattern FIELD = Pattern.compile("\\b(?:exception|error)[ _](?:message|details?|text|msg):$");

    private final LogView view;

    Talk(LogView view) {
        this.view = view;
    }

    /** Returns whether the text between two places is source code, by what stands around it in its line. */
    boolean isCode(int start, int end) {
        String before = before(start);
        String after = after(end);
        return CODE.stream().anyMatch(before::contains) || CODE_BEHIND.stream().anyMatch(after::contains);
    }

    private String after(int end) {
        return " " + view.string(end, view.lineEnd(end, MOST_AFTER)).toLowerCase(Locale.ROOT);
    }

    /** Returns whether the line says that this failed: it stands alone, or behind the name of an exception or a level. */
    boolean isError(int start, int end) {
        int name = exception(start);
        String before = before(name < 0 ? start : name);
        boolean isNamed = before.startsWith("#") || NAMED.stream().anyMatch(after(end)::contains);
        if (isNamed || SUPPOSED.stream().anyMatch(before::contains)) {
            return false;
        }
        boolean isAlone = before.isBlank() && isSentenceEnd(end);
        String plain = EMPHASIS.matcher(before).replaceFirst("");
        boolean isStatement = plain.isEmpty() || ":]})>-|".indexOf(plain.charAt(plain.length() - 1)) >= 0;
        return name >= 0 || isAlone || (isStatement && LEVELS.stream().anyMatch(before::contains));
    }

    /** Returns whether a form's name for what failed stands before: {@code Exception Message:}. */
    boolean isField(int start) {
        return FIELD.matcher(EMPHASIS.matcher(before(start)).replaceFirst("")).find();
    }

    private boolean isSentenceEnd(int end) {
        int at = end;
        while (view.at(at) == ' ') {
            at++;
        }
        char character = view.at(at);
        return character < ' ' || character == '.' || character == '!' || character == ':' || character == '(';
    }

    private String before(int start) {
        return view.string(view.lineStart(start, MOST_BEFORE), start).toLowerCase(Locale.ROOT) + " ";
    }

    /** Where the name of an exception begins that stands shortly before a place; -1 where none does. */
    int exception(int before) {
        for (int end = before - 1; end > Math.max(before - MOST_TO_NAME, 0); end--) {
            if (view.at(end) == ':' || view.at(end) == '(') {
                int start = nameBefore(end);
                String name = view.string(start, end);
                if (name.endsWith("Error") || name.endsWith("Exception") || name.endsWith("OutOfResources")) {
                    return start;
                }
            }
        }
        return -1;
    }

    private int nameBefore(int end) {
        int start = end;
        while (end - start < MOST_BEFORE && isOfName(view.at(start - 1))) {
            start--;
        }
        return start;
    }

    private static boolean isOfName(char character) {
        return Ascii.isLetter(character)
                || Ascii.isDigit(character)
                || character == '.'
                || character == '_'
                || character == LogView.CUT;
    }

    /** The name that begins at a place. */
    String name(int from) {
        int to = from;
        while (isOfName(view.at(to))) {
            to++;
        }
        return view.string(from, to);
    }
}
