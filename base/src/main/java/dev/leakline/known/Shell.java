package dev.leakline.known;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Things that interactive Pythons keep by themselves, IPython's and so notebooks' too: no line of the user does. */
public enum Shell {
    /** The results of cells: {@code Out[3]}, {@code _3}, {@code _}. */
    RESULTS(
            Pattern.compile("__main__|builtins"),
            Pattern.compile("Out|_oh|_{1,3}|_\\d+"),
            "run %reset -f out in the notebook, and end a cell whose result is not needed with a semicolon or None",
            "IPython keeps the result of every cell in Out, _ and _N until the kernel ends"),
    /** The last exception that nobody caught, with the variables of all calls that it ended. */
    ERROR(
            Pattern.compile("sys"),
            Pattern.compile("last_(traceback|value|exc)"),
            "set sys.last_traceback, sys.last_value and sys.last_exc to None",
            "an interactive Python keeps the last exception, and with its traceback the variables of all calls that it ended");

    private static final Pattern SECOND = Pattern.compile("_{1,3}|_\\d+");

    private final Pattern module;
    private final Pattern reference;
    private final String cure;
    private final String why;

    Shell(Pattern module, Pattern reference, String cure, String why) {
        this.module = module;
        this.reference = reference;
        this.cure = cure;
        this.why = why;
    }

    /** The one that holds what a reference of a module leads to; null where none does. */
    public static @Nullable Shell of(String module, String reference) {
        String name = reference.startsWith(".") ? reference.substring(1) : reference;
        for (Shell each : values()) {
            if (each.module.matcher(module).matches()
                    && each.reference.matcher(name).matches()) {
                return each;
            }
        }
        return null;
    }

    /** Returns whether it is a name that Python gives to the last exception, also to the one by which a script ends. */
    public static boolean isLastError(String name) {
        return ERROR.reference.matcher(name).matches();
    }

    /** Returns whether a name of the main module is another of a result that {@code Out} has as well. */
    public static boolean isSecondName(String name) {
        return SECOND.matcher(name).matches();
    }

    /** The action that ends it. */
    public String cure() {
        return cure;
    }

    /** The reason: what it keeps, and how long. */
    public String why() {
        return why;
    }
}
