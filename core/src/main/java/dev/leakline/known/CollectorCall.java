package dev.leakline.known;

import java.util.List;
import java.util.regex.Pattern;

/** A line of Python that calls the garbage collector and frees nothing else. */
public final class CollectorCall {
    private static final Pattern CALL = Pattern.compile("(.*:\\s*|\\s*)(\\w+\\s*=\\s*)?gc\\.collect\\([^()]*\\)\\s*");
    private static final Pattern SHORT = Pattern.compile("(.*:\\s*|\\s*)(\\w+\\s*=\\s*)?collect\\([^()]*\\)\\s*");
    private static final Pattern IMPORT = Pattern.compile("\\s*from\\s+gc\\s+import\\b.*\\bcollect\\b.*");

    private CollectorCall() {}

    /** Whether a line of a file, counted from 1, does nothing but collect garbage. */
    public static boolean is(List<String> file, int line) {
        if (line < 1 || line > file.size()) {
            return false;
        }
        String text = PythonFunction.of(file, line).line(line);
        return CALL.matcher(text).matches()
                || (SHORT.matcher(text).matches()
                        && file.stream().anyMatch(other -> IMPORT.matcher(other).matches()));
    }
}
