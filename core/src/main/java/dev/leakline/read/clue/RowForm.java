package dev.leakline.read.clue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One text of a row of {@code tables.txt} as a form of lines.
 *
 * @param words the longest words that stand in every such line, by which others are passed over fast
 * @param form the whole line, with a group for each slot that has a name
 * @param slots the names of the groups
 */
record RowForm(String words, Pattern form, List<String> slots) {
    /** Slots that are numbers or words, and no sizes. */
    static final Set<String> PLAIN = Set.of("device", "pid", "name", "share");

    private static final Pattern PART = Pattern.compile("\\{(\\.\\.|\\w+)}|(\\s+)|([^{\\s]+|\\{)");
    /** A number with its unit, which is not given back to what follows. */
    private static final String SIZE =
            "(\\d[\\d,]{0,18}+(?:\\.\\d{1,18}+)?+(?: ?(?:[KMGTkmgt]i?[Bb]?|[Bb](?:ytes)?)(?![A-Za-z]))?+)";

    static RowForm of(String text) {
        StringBuilder form = new StringBuilder();
        List<String> slots = new ArrayList<>();
        String longest = "";
        for (Matcher part = PART.matcher(text); part.find(); ) {
            String slot = part.group(1);
            if (part.group(2) != null) {
                char next = part.end() < text.length() ? text.charAt(part.end()) : ' ';
                boolean parts =
                        text.charAt(part.start() - 1) == '}' && (next == '{' || Character.isLetterOrDigit(next));
                form.append(parts ? "\\s++" : "\\s*+"); // no slot begins with a blank
            } else if (slot == null) {
                form.append(Pattern.quote(part.group(3)));
                longest = part.group(3).length() > longest.length() ? part.group(3) : longest;
            } else {
                form.append(slot(slot, part.end() == text.length()));
                if (!slot.equals("..") && !slot.equals("_") && !slot.equals("n")) {
                    slots.add(slot);
                }
            }
        }
        return new RowForm(longest, Pattern.compile(form.toString()), List.copyOf(slots));
    }

    private static String slot(String slot, boolean isLast) {
        return switch (slot) {
            case ".." -> isLast ? ".*" : ".{0,300}?";
            case "_" -> "[^\\s|]{1,80}?";
            case "n" -> "[-+]?\\d[\\d.,]{0,18}";
            case "device" -> "(\\d{1,4})";
            case "pid" -> "(\\d{1,10})";
            case "name" -> "([^\\s|]{1,80}?)";
            case "share" -> "(\\d{1,3}(?:\\.\\d{1,9})?) ?%?";
            default -> SIZE;
        };
    }

    /** The match of a line; null where it is another one. */
    @Nullable
    Matcher match(String line) {
        Matcher match = line.contains(words) ? form.matcher(line) : null;
        return match == null || !match.matches() ? null : match;
    }
}
