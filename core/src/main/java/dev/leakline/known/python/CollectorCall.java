package dev.leakline.known.python;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Lines of Python that call the garbage collector. */
public final class CollectorCall {
    private static final Pattern CALL =
            Pattern.compile("(.*:\\s*|\\s*)(\\w+\\s*=\\s*)?(?<module>gc\\.)?collect\\([^()]*\\)\\s*");
    private static final Pattern IMPORT = Pattern.compile("\\s*from\\s+gc\\s+import\\b.*\\bcollect\\b.*");

    private CollectorCall() {}

    /** Whether a line of a file, counted from 1, does nothing but call the collector. */
    public static boolean is(List<String> file, int line) {
        if (line < 1 || line > file.size()) {
            return false;
        }
        Matcher call = CALL.matcher(PythonFunction.of(file, line).line(line));
        return call.matches()
                && (call.group("module") != null
                        || file.stream().anyMatch(other -> IMPORT.matcher(other).matches()));
    }
}
