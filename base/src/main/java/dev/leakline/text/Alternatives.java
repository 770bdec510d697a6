package dev.leakline.text;

import java.util.ArrayList;
import java.util.List;

/**
 * The plain texts that one row of a data file stands for: what is in {@code [brackets]} may be missing, of {@code (a|b|c)} one is there. Parentheses
 * without a bar are themselves; a bracket that is meant is written {@code \[}.
 */
public final class Alternatives {
    /** More texts of one row are a mistake in the file. */
    private static final int MOST = 256;

    private Alternatives() {}

    /** All texts, the longest choice of each option first. */
    public static List<String> of(String row) {
        List<String> texts = new ArrayList<>();
        expand(row, texts);
        return List.copyOf(texts);
    }

    private static void expand(String row, List<String> texts) {
        for (int at = 0; at < row.length(); at++) {
            char character = row.charAt(at);
            if (character == '\\') {
                at++;
            } else if (character == '[' || character == '(') {
                int end = end(row, at, character == '[' ? ']' : ')');
                List<String> choices = end < 0 ? List.of() : choices(row.substring(at + 1, end));
                if (character == '[' && end > 0) {
                    expand(row.substring(0, at) + row.substring(at + 1, end) + row.substring(end + 1), texts);
                    expand(row.substring(0, at) + row.substring(end + 1), texts);
                    return;
                } else if (choices.size() > 1) {
                    for (String choice : choices) {
                        expand(row.substring(0, at) + choice + row.substring(end + 1), texts);
                    }
                    return;
                }
            }
        }
        if (texts.size() >= MOST) {
            throw new IllegalStateException("more than " + MOST + " texts of one row: " + row);
        }
        texts.add(row.replace("\\[", "[").replace("\\]", "]"));
    }

    /** The place of the bracket that closes the one at {@code from}; -1 where none does. */
    private static int end(String row, int from, char closing) {
        char opening = row.charAt(from);
        int depth = 0;
        for (int at = from; at < row.length(); at++) {
            char character = row.charAt(at);
            if (character == '\\') {
                at++;
            } else if (character == opening) {
                depth++;
            } else if (character == closing && --depth == 0) {
                return at;
            }
        }
        return -1;
    }

    /** The parts between bars, but for those within further brackets. */
    private static List<String> choices(String text) {
        List<String> choices = new ArrayList<>();
        int depth = 0;
        int begin = 0;
        for (int at = 0; at < text.length(); at++) {
            char character = text.charAt(at);
            depth += character == '(' || character == '[' ? 1 : character == ')' || character == ']' ? -1 : 0;
            if (character == '|' && depth == 0) {
                choices.add(text.substring(begin, at));
                begin = at + 1;
            }
        }
        choices.add(text.substring(begin));
        return choices;
    }
}
