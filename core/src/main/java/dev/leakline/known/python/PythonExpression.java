package dev.leakline.known.python;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A Python expression, taken apart at its brackets, commas and conditions. */
public final class PythonExpression {
    /** Stands for what is inside of brackets or quotes. */
    private static final char INSIDE = '\0';

    private static final String DETACH = ".detach()";
    private static final Pattern CHOICE =
            Pattern.compile("(?<then>.*?)(?<condition>\\s+if\\b.*?\\belse\\b\\s*)(?<other>.*)");
    /** What has no methods of a tensor. */
    private static final Pattern PLAIN = Pattern.compile("None|True|False|[-\\d.]+|\"[^\"]*\"|'[^']*'");

    private static final Pattern BRACKETED = Pattern.compile("[\\[({]\0*[\\])}]");
    private static final Pattern COMPREHENSION = Pattern.compile("\\bfor\\b");
    private static final Pattern LABEL = Pattern.compile("^(\"[^\"]*\"|'[^']*'|\\w+)\\s*[:=]\\s*(?!=)");

    /** What a call may follow without brackets around it. */
    private static final Pattern TERM = Pattern.compile("[\\w.]+([\\[(]\0*[\\])][\\w.]*)*");

    private PythonExpression() {}

    /** What stands between the commas of a list of arguments or elements. */
    public static List<String> elements(String list) {
        String outer = outer(list);
        List<String> found = new ArrayList<>();
        int from = 0;
        for (int comma = outer.indexOf(','); comma >= 0; comma = outer.indexOf(',', from)) {
            found.add(list.substring(from, comma).strip());
            from = comma + 1;
        }
        found.add(list.substring(from).strip());
        return found.stream().filter(element -> !element.isEmpty()).toList();
    }

    /** What an expression may come to or hold: both sides of a condition, the elements of a tuple, list or dict, without keys. */
    public static List<String> values(String expression) {
        return parts(expression.strip()).toList();
    }

    /** An element without the key of a dict, or the name of an argument. */
    public static String unlabelled(String element) {
        return LABEL.matcher(element).replaceFirst("");
    }

    /** An element with a call after its value, which is not detached twice. */
    public static String called(String element, String call) {
        String value = unlabelled(element);
        String label = element.substring(0, element.length() - value.length());
        boolean isDetached = value.endsWith(DETACH) && call.startsWith(DETACH);
        return label
                + (TERM.matcher(outer(value)).matches() ? value : "(" + value + ")")
                + (isDetached ? call.substring(DETACH.length()) : call);
    }

    /**
     * An expression with a call after each value that it may come to: both sides of a condition, and of values between commas those that
     * are named, or the last.
     */
    public static String each(String expression, Set<String> names, String call) {
        List<String> elements = elements(expression);
        if (elements.size() > 1) {
            boolean isNamed = elements.stream().anyMatch(names::contains);
            String last = elements.getLast();
            return elements.stream()
                    .map(element -> (isNamed ? names.contains(element) : element.equals(last))
                            ? each(element, names, call)
                            : element)
                    .collect(Collectors.joining(", "));
        }
        Matcher choice = CHOICE.matcher(outer(expression));
        if (!choice.matches()) {
            return PLAIN.matcher(expression).matches() ? expression : called(expression, call);
        }
        return each(expression.substring(0, choice.end("then")), names, call)
                + expression.substring(choice.start("condition"), choice.end("condition"))
                + each(expression.substring(choice.start("other")), names, call);
    }

    private static Stream<String> parts(String text) {
        List<String> elements = elements(text);
        if (elements.size() > 1) {
            return elements.stream().flatMap(PythonExpression::parts);
        }
        String outer = outer(text);
        Matcher choice = CHOICE.matcher(outer);
        if (choice.matches()) {
            String then = text.substring(0, choice.end("then")).strip();
            return Stream.concat(
                    parts(then), parts(text.substring(choice.start("other")).strip()));
        }
        boolean isBracketed = BRACKETED.matcher(outer).matches();
        String inner = isBracketed ? text.substring(1, text.length() - 1) : "";
        return isBracketed && !COMPREHENSION.matcher(outer(inner)).find()
                ? parts(inner.strip())
                : Stream.of(unlabelled(text));
    }

    /** What stands before the bracket that ends a list of arguments. */
    public static String inside(String arguments) {
        String outer = outer("(" + arguments);
        int end = outer.indexOf(')');
        return end < 1 ? arguments : arguments.substring(0, end - 1);
    }

    /** The text, as long as it is, with blanks for all that is inside of quotes. */
    public static String withoutTexts(String text) {
        StringBuilder code = new StringBuilder();
        char quote = 0;
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            boolean isQuote = (quote == 0 && "\"'".indexOf(c) >= 0) || c == quote;
            code.append(quote == 0 || isQuote ? c : ' ');
            quote = !isQuote ? quote : quote == 0 ? c : 0;
        }
        return code.toString();
    }

    /** The text with all that is inside of brackets or quotes blotted out. */
    private static String outer(String text) {
        StringBuilder outer = new StringBuilder();
        int depth = 0;
        char quote = 0;
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            boolean isClosing = quote == 0 && ")]}".indexOf(c) >= 0;
            depth -= isClosing ? 1 : 0;
            outer.append(depth > 0 || quote != 0 ? INSIDE : c);
            depth += quote == 0 && "([{".indexOf(c) >= 0 ? 1 : 0;
            quote = quote == c ? 0 : quote == 0 && "\"'".indexOf(c) >= 0 ? c : quote;
        }
        return outer.toString();
    }
}
