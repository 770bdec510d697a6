package dev.leakline.read.figures;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One text of a row of {@code tables.txt} as a form of lines. What stands between two gaps is looked for once, at the first place where it fits, so that
 * the time for a line is in proportion to its length.
 *
 * @param words the longest words that stand in every such line, by which others are passed over fast
 * @param form the whole line, with a group for each slot that has a name
 * @param slots the slots of the groups
 */
record RowForm(String words, Pattern form, List<Slot> slots) {
    private static final Pattern PART = Pattern.compile("\\{(\\.\\.|[@#]?\\w+@?)}|(\\s+)|([^{\\s]+|\\{)");
    /** A number with its unit, which is not given back to what follows. */
    private static final String SIZE =
            "(\\d(?:,?\\d){0,18}+(?:\\.\\d{1,18}+)?+(?: ?(?:[KMGTkmgt]i?[Bb]?|[Bb](?:ytes)?)(?![A-Za-z]))?+)";

    /** A moment, as {@code date} and loggers print it; what it is, {@link dev.leakline.read.terms.TimeText} tells. */
    private static final String WHEN =
            "(?:(?:[A-Z][a-z]{2} {1,2}){1,2}\\d{1,2} CLOCK(?: [AP]M)?(?: [A-Z]{2,5})?(?: \\d{4})?|(?:[\\d/.-]{1,10}[T ]){0,2}CLOCK(?:Z|[+-]\\d\\d:?\\d\\d)?)"
                    .replace("CLOCK", "\\d{1,2}:\\d\\d(?::\\d\\d)?(?:[.,]\\d{1,9})?");

    private static final String GAP = "(?>.{0,300}?";

    /** Kinds of slots. */
    enum Kind {
        PLACE,
        SIZE,
        COUNT
    }

    /**
     * A named part of a line.
     *
     * @param name its name
     * @param kind whether it is a size, a number of something else, or says whose the sizes are
     * @param isNoted whether it tells how full something is at one moment
     * @param isMeasured whether it is a measurement of a series
     */
    record Slot(String name, Kind kind, boolean isNoted, boolean isMeasured) {
        static Slot of(String text) {
            String name = text.replaceAll("[@#]", "");
            boolean isPlace = List.of("device", "pid", "name", "words", "share", "fraction")
                    .contains(name);
            Kind kind = isPlace ? Kind.PLACE : text.startsWith("#") ? Kind.COUNT : Kind.SIZE;
            return new Slot(name, kind, !text.startsWith("@"), text.indexOf('@') >= 0);
        }
    }

    /** A row's text; one that is looked for within lines does not reach to their end. */
    static RowForm of(String row, boolean isWithin) {
        String text = row.strip();
        StringBuilder form = new StringBuilder();
        List<Slot> slots = new ArrayList<>();
        String longest = "";
        boolean isInGap = false;
        for (Matcher part = PART.matcher(text); part.find(); ) {
            String slot = part.group(1);
            boolean isLast = part.end() == text.length();
            if (part.group(2) != null) {
                char next = isLast ? ' ' : text.charAt(part.end());
                boolean parts =
                        text.charAt(part.start() - 1) == '}' && (next == '{' || Character.isLetterOrDigit(next));
                form.append(parts ? "\\s+" : "\\s*");
            } else if (slot == null) {
                form.append(Pattern.quote(part.group(3)));
                longest = part.group(3).length() > longest.length() ? part.group(3) : longest;
            } else if (slot.equals("..")) {
                form.append(isInGap ? ")" : "").append(isLast ? ".*" : GAP);
                isInGap = !isLast;
            } else {
                form.append(slot(slot));
                if (!List.of("_", "n", "when").contains(slot)) {
                    slots.add(Slot.of(slot));
                }
            }
        }
        form.append(isWithin ? "" : "$").append(isInGap ? ")" : "");
        return new RowForm(longest, Pattern.compile(form.toString()), List.copyOf(slots));
    }

    private static String slot(String slot) {
        return switch (slot) {
            case "_" -> "[^\\s|]{1,80}?";
            case "n" -> "[-+]?\\d[\\d.,]{0,18}";
            case "device" -> "(\\d{1,4})";
            case "pid" -> "(\\d{1,10})";
            case "name" -> "([^\\s|]{1,100}?)";
            case "words" -> "(\\S.{0,200}?)";
            case "share", "@share" -> "(\\d{1,3}(?:\\.\\d{1,9})?) ?%?";
            case "@fraction" -> "([01](?:\\.\\d{1,18})?)(?![\\d.%])";
            case "when" -> WHEN;
            default -> slot.startsWith("#") ? "(\\d{1,18})" : SIZE;
        };
    }

    /** The match of a line; null where it is another one. */
    @Nullable
    Matcher match(String line) {
        Matcher match = line.contains(words) ? form.matcher(line) : null;
        return match == null || !match.lookingAt() ? null : match;
    }
}
