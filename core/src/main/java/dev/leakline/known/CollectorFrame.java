package dev.leakline.known;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Frames of CPython's garbage collector: its C functions, as stacks with C++ frames show them, and lines of Python that call it. Source: {@code Modules/gcmodule.c} of 3.8 to 3.12,
 * {@code Python/gc.c} and {@code Python/gc_free_threading.c} from 3.13 on.
 */
public final class CollectorFrame {
    private static final Pattern FUNCTIONS =
            Pattern.compile("_?(Py)?_?(gc_collect\\w*|delete_garbage|RunGC|GC_Collect)(\\.\\w+)*");

    private static final Pattern CALL =
            Pattern.compile("(.*:\\s*|\\s*)(\\w+\\s*=\\s*)?(?<module>gc\\.)?collect\\([^()]*\\)\\s*");
    private static final Pattern IMPORT = Pattern.compile("\\s*from\\s+gc\\s+import\\b.*\\bcollect\\b.*");

    private CollectorFrame() {}

    /** Whether a C function collects garbage. */
    public static boolean is(String function) {
        return FUNCTIONS.matcher(function).matches();
    }

    /** Whether a line of a file, counted from 1, does nothing but call the collector. */
    public static boolean isCall(List<String> file, int line) {
        if (line < 1 || line > file.size()) {
            return false;
        }
        Matcher call = CALL.matcher(PythonFunction.of(file, line).line(line));
        return call.matches()
                && (call.group("module") != null
                        || file.stream().anyMatch(other -> IMPORT.matcher(other).matches()));
    }
}
