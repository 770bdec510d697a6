package dev.leakline.known.python;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a function gives to the line that called it. */
public final class SourceReturn {
    private static final Pattern RETURN = Pattern.compile("(.*:)?\\s*return\\b\\s*(?<value>.*?)\\s*");
    private static final Pattern YIELD = Pattern.compile(".*\\byield\\b.*");

    private SourceReturn() {}

    /** Whether a function returns something, and that numbers, texts or copies in CPU memory only. */
    public static boolean isLetGo(PythonFunction function) {
        List<String> values = function.all().stream()
                .map(line -> RETURN.matcher(function.line(line)))
                .filter(Matcher::matches)
                .map(returned -> returned.group("value"))
                .filter(value -> !value.isEmpty() && !value.equals("None"))
                .toList();
        boolean isGenerator = function.all().stream()
                .anyMatch(line -> YIELD.matcher(function.line(line)).matches());
        return !isGenerator && !values.isEmpty() && values.stream().allMatch(SourceReturn::isCopy);
    }

    /** Whether an expression ends with what makes a number or a copy; one that only begins with it may go on as anything. */
    private static boolean isCopy(String value) {
        return SourceUse.isLetGo(value)
                && value.matches(".*\\.(item|tolist|cpu|numpy)\\(\\)|(float|int|len|str|repr)\\(.*\\)");
    }
}
