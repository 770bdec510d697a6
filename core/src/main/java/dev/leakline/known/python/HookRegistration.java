package dev.leakline.known.python;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line that registers a hook.
 *
 * @param text the line
 * @param handle what is given the handle, or a list of handles; empty where nothing is
 * @param hook what is registered
 * @param isOne whether it is given one handle
 */
public record HookRegistration(String text, String handle, String hook, boolean isOne) {
    private static final Pattern LINE =
            Pattern.compile("\\s*(?:(?<handle>[\\w.]+)\\s*=\\s*)?(?<call>.*\\.register_\\w*hook\\()(?<given>.+)");
    private static final Pattern LIST = Pattern.compile("(?<list>[\\w.]+)\\.(append|add)\\(.*");

    /** The registration of a line, if it is one. */
    public static Optional<HookRegistration> of(String line) {
        Matcher found = LINE.matcher(line);
        if (!found.matches()) {
            return Optional.empty();
        }
        String hook = PythonExpression.elements(PythonExpression.inside(found.group("given"))).stream()
                .findFirst()
                .orElse("");
        Matcher list = LIST.matcher(found.group("call").strip());
        boolean isList = list.matches() || found.group("call").startsWith("[");
        String handle = list.matches() ? list.group("list") : found.group("handle");
        return Optional.of(new HookRegistration(line.strip(), handle == null ? "" : handle, hook, !isList));
    }

    /** The name of the function or method that is registered. */
    public String name() {
        return hook.substring(hook.lastIndexOf('.') + 1);
    }

    /** The line with what removes the hook again. */
    public String removed() {
        return handle.isEmpty()
                ? "handle = " + text + "; ...; handle.remove()"
                : isOne
                        ? text + "; ...; " + handle + ".remove()"
                        : text + "; ...; [handle.remove() for handle in " + handle + "]";
    }
}
