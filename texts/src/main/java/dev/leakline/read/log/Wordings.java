package dev.leakline.read.log;

import dev.leakline.read.log.Wording.Becomes;
import dev.leakline.read.log.Wording.Effect;
import dev.leakline.read.log.Wording.End;
import dev.leakline.read.log.Wording.Gap;
import dev.leakline.read.log.Wording.Hints;
import dev.leakline.read.log.Wording.Numeral;
import dev.leakline.read.log.Wording.Opens;
import dev.leakline.read.log.Wording.Part;
import dev.leakline.read.log.Wording.Role;
import dev.leakline.read.log.Wording.Says;
import dev.leakline.read.log.Wording.Size;
import dev.leakline.read.log.Wording.Turns;
import dev.leakline.read.log.Wording.Unit;
import dev.leakline.read.log.Wording.Words;
import dev.leakline.result.OutOfMemoryExplanation.Kind;
import dev.leakline.result.OutOfMemoryMessage.Cause;
import dev.leakline.result.OutOfMemoryMessage.Device;
import dev.leakline.result.OutOfMemoryMessage.Form;
import dev.leakline.result.OutOfMemoryMessage.Hint;
import dev.leakline.result.OutOfMemoryMessage.Meaning;
import dev.leakline.text.Alternatives;
import dev.leakline.text.DataFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The rows of {@code wordings.txt}, read once, and the index of their first words. */
final class Wordings {
    /** Letters of a wording that it is looked for by: enough that no other text has them by chance, and that a table of them is small. */
    private static final int MOST_LETTERS = 16;

    /** Ranks in the index: words that tell a piece of a message, and those that begin one. */
    static final int PIECE = 1;

    static final int OPENS = 2;

    private static final Pattern SLOT = Pattern.compile("\\{([^{}]*)}");

    /** All wordings. */
    static final Wordings ALL = new Wordings();

    private final List<Wording> rows = new ArrayList<>();
    private final int[] letters;
    private final boolean[] hasDigits;
    private final KeywordIndex index;
    private String program = "";

    private Wordings() {
        DataFile.read(Wordings.class, "wordings.txt").lines().map(String::strip).forEach(this::read);
        List<String> keywords = rows.stream().map(Wordings::keyword).toList();
        letters = keywords.stream().mapToInt(String::length).toArray();
        hasDigits = new boolean[rows.size()];
        for (int i = 0; i < hasDigits.length; i++) {
            hasDigits[i] = rows.get(i).hasDigits();
        }
        index = new KeywordIndex(keywords, rows.stream().map(Wordings::rank).toList());
    }

    private static String keyword(Wording row) {
        String text = row.first().text();
        StringBuilder keyword = new StringBuilder();
        for (int i = 0; i < text.length() && keyword.length() < MOST_LETTERS; i++) {
            if (KeywordIndex.isCounted(text.charAt(i))) {
                keyword.append(text.charAt(i));
            }
        }
        return keyword.toString();
    }

    private static int rank(Wording row) {
        return row.effect() instanceof Opens ? OPENS : row.effect() instanceof Says says && says.isSure() ? PIECE : 0;
    }

    private void read(String line) {
        if (line.startsWith("= ")) {
            program = line.substring(2).strip();
        } else if (!line.isEmpty() && !line.startsWith("#")) {
            int colon = line.indexOf(" : ");
            String text = line.substring(colon + 3).strip();
            int origin = text.indexOf("  -- ");
            for (String one : Alternatives.of(
                    origin < 0 ? text : text.substring(0, origin).strip())) {
                rows.add(Wording.of(program, effect(line.substring(0, colon).strip()), parts(one.strip())));
            }
        }
    }

    private static Effect effect(String text) {
        boolean isUnsure = text.endsWith("?");
        boolean isSure = text.endsWith("!");
        String[] words = (isUnsure || isSure ? text.substring(0, text.length() - 1) : text).split(" +", -1);
        return switch (words[0]) {
            case "open" -> new Opens(constant(Form.class, words[1]), device(words), null, !isUnsure);
            case "turn" -> new Turns(constant(Form.class, words[1]));
            case "becomes" -> new Becomes(new Cause(constant(Kind.class, words[1]), words[2]));
            case "say" -> new Says(isSure, false);
            case "lead" -> new Says(false, true);
            case "part" -> new Hints(null);
            case "hint" -> new Hints(constant(Hint.class, words[1]));
            default ->
                new Opens(Form.FOREIGN, device(words), new Cause(constant(Kind.class, words[0]), words[1]), !isUnsure);
        };
    }

    private static Device device(String[] words) {
        return words.length > 2 ? constant(Device.class, words[2]) : Device.OTHER;
    }

    private static <E extends Enum<E>> E constant(Class<E> type, String name) {
        return Enum.valueOf(type, name.toUpperCase(Locale.ROOT));
    }

    private static List<Part> parts(String text) {
        List<Part> parts = new ArrayList<>();
        Matcher slot = SLOT.matcher(text);
        int at = 0;
        while (slot.find()) {
            addWords(parts, text.substring(at, slot.start()));
            parts.add(slot(slot.group(1)));
            at = slot.end();
        }
        addWords(parts, text.substring(at));
        return List.copyOf(parts);
    }

    private static void addWords(List<Part> parts, String text) {
        if (text.chars().anyMatch(character -> KeywordIndex.isCounted((char) character))) {
            parts.add(new Words(text.toLowerCase(Locale.ROOT)));
        }
    }

    private static Part slot(String name) {
        if (name.startsWith("..")) {
            return new Gap(Integer.parseInt(name.substring(2)));
        }
        return switch (name) {
            case "n" -> new Numeral(Role.ANY);
            case "end" -> new End();
            case "device" -> new Numeral(Role.DEVICE);
            case "pid" -> new Numeral(Role.PROCESS);
            default -> size(name);
        };
    }

    private static Size size(String name) {
        char last = name.charAt(name.length() - 1);
        Unit unit = last == '/' ? Unit.OF_NEXT : last == '#' ? Unit.OWN_OR_BYTES : Unit.OWN;
        return new Size(constant(Meaning.class, unit == Unit.OWN ? name : name.substring(0, name.length() - 1)), unit);
    }

    /** A row, by its number in the index. */
    Wording row(int number) {
        return rows.get(number);
    }

    /** Letters of the first words of a row that the index has. */
    int letters(int number) {
        return letters[number];
    }

    /** Returns whether the words of a row have digits. */
    boolean hasDigits(int number) {
        return hasDigits[number];
    }

    /** An index of all rows, at the beginning of a text. */
    KeywordIndex index() {
        return new KeywordIndex(index);
    }
}
