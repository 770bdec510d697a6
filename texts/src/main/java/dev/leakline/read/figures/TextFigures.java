package dev.leakline.read.figures;

import dev.leakline.source.Clue;
import dev.leakline.source.lines.FormMemo;
import dev.leakline.source.lines.LineForms;
import dev.leakline.source.lines.LogLines;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the lines of a text that holds figures of memory: tables of all kinds, metrics, objects of JSON, and sentences. They may stand in one text one
 * after the other, as in logs of scripts that call monitors, and what one kind of line says of time and step holds for the others.
 */
public final class TextFigures {
    /** Speakers that are listened to at a time; those who were silent longest are forgotten. */
    private static final int MOST_SPEAKERS = 1024;

    /** Headings of settings: of Kubernetes and what its nodes have, of what XLA plans. What stands further to the right below them is no measurement. */
    private static final Pattern SETTINGS = Pattern.compile(
            "[\\s\"-]*(?i:limits|requests|capacity|allocatable|allocated resources|bufferassignment stats)\"?:\\s*\\{?\\s*");
    /** Headings are short. */
    private static final int LONGEST_HEADING = 200;

    private final KnownTables known;
    private final Exposition metrics;
    private final TextTable tables;
    private final ColumnTable columns;
    private final LineReader lines;
    private final @Nullable PatternReader pattern;
    private final BiPredicate<String, Utterance> json;
    /** Blanks before the heading of settings, -1 where none is open. */
    private int indentation = -1;

    private final FormMemo<QuietLine> quiet = new FormMemo<>();
    /** The last line that was not read again, as bytes. */
    private final byte[] passed = new byte[ColumnTable.MOST];

    private int passedLength;
    private final Map<String, Utterance> speakers = new LinkedHashMap<>(16, 0.75f, true);

    /**
     * A reader of lines into a book. With a pattern, figures are what it finds, and no others; lines say where those belong.
     *
     * @param json reads lines that are objects of JSON, and says whether they were
     */
    public TextFigures(
            SeriesBook book, RowReader rows, @Nullable LinePattern pattern, BiPredicate<String, Utterance> json) {
        this.known = new KnownTables(book);
        this.metrics = new Exposition(book);
        this.tables = new TextTable(rows);
        this.columns = new ColumnTable(known);
        this.lines = new LineReader(book);
        this.pattern = pattern == null ? null : new PatternReader(pattern, book);
        this.json = json;
    }

    /**
     * Reads what stands in a line from a place on; {@code speaker} is empty where nobody says who wrote it. Its characters are bytes, or of UTF-16.
     *
     * @param form the number of its form, {@link LineForms#NONE} for what has to be read whatever was read before
     */
    public void read(LogLines line, int from, String speaker, long form) {
        Utterance speech = speech(speaker);
        QuietLine told = pattern == null && isIdle() ? quiet.get(form) : null;
        if (told != null) {
            told.tell(line, from, speech.whereabouts());
            pass(line, from, told);
        } else {
            read(new String(line.text(), from, line.length() - from), speech, form);
        }
    }

    private void pass(LogLines line, int from, QuietLine told) {
        if (told.isRead()) {
            passedLength = line.length() - from;
            line.copy(from, passed, passedLength);
        }
    }

    private void read(String line, Utterance speech, long form) {
        String text = decoded(line);
        boolean wasIdle = isIdle();
        if (passedLength > 0) {
            String before = decoded(passed, passedLength);
            tables.pass(before);
            passedLength = 0;
        }
        if (pattern != null) {
            match(pattern, text, speech);
        } else if (known.take(text, speech, form)) {
            passedLength = 0;
        } else if (isSetting(text)) {
            passedLength = 0;
        } else if (isOutOfMemory(text)) {
            quiet.put(form, QuietLine.IGNORED);
        } else if (find(text, speech) && wasIdle && isIdle() && !known.hasTaken() && isWords(line)) {
            QuietLine told = lines.quiet();
            if (told != null) {
                quiet.put(form, told);
            }
        }
    }

    /** Returns whether no table is open, so that a line means the same wherever it stands. */
    private boolean isIdle() {
        return tables.isIdle() && columns.isIdle() && known.isIdle() && indentation < 0;
    }

    /** Returns whether a line is of words: one that tables pass over and keep as a title. */
    private static boolean isWords(String line) {
        String bare = line.stripTrailing();
        return !bare.isEmpty()
                && line.length() <= ColumnTable.MOST
                && "|+#{`\u00ef".indexOf(line.charAt(0)) < 0
                && !bare.endsWith("i")
                && bare.chars().anyMatch(Character::isAlphabetic);
    }

    /** Takes a line; whether it is a setting, or the heading of some. */
    private boolean isSetting(String line) {
        if (line.length() <= LONGEST_HEADING && SETTINGS.matcher(line).matches()) {
            indentation = indentation(line);
            return true;
        }
        if (indentation >= 0 && indentation(line) <= indentation) {
            indentation = -1;
        }
        return indentation >= 0;
    }

    private static int indentation(String line) {
        return line.length() - line.stripLeading().length();
    }

    private void match(PatternReader reader, String text, Utterance speech) {
        if (reader.namesPlace()) {
            speech.whereabouts().begin();
            speech.whereabouts().timeIn(text);
        } else {
            lines.tell(text, speech);
        }
        reader.read(text, speech);
    }

    /** Reads a line; whether it is of words, and not one of a table. */
    private boolean find(String text, Utterance speech) {
        boolean isTaken = metrics.take(text, speech)
                || tables.take(text, speech)
                || columns.take(text, speech)
                || isObject(text, speech);
        if (!isTaken) {
            lines.read(text, speech);
        }
        return !isTaken;
    }

    private boolean isObject(String text, Utterance speech) {
        return text.startsWith("{\"") && text.endsWith("}") && json.test(text, speech);
    }

    /** Sizes in messages about memory that ran out are no measurements; there is another command for them. */
    private static boolean isOutOfMemory(String text) {
        int tried = text.indexOf("ried to allocate");
        int out = text.indexOf(" of memory");
        return tried > 0 || (out > 2 && text.regionMatches(true, out - 3, "out", 0, 3));
    }

    private Utterance speech(String speaker) {
        Utterance known = speakers.get(speaker);
        if (known != null) {
            return known;
        }
        if (speakers.size() >= MOST_SPEAKERS) {
            speakers.remove(speakers.keySet().iterator().next());
        }
        Utterance speech = Utterance.of(speaker);
        speakers.put(speaker, speech);
        return speech;
    }

    /** The text of some bytes. */
    static String decoded(byte[] bytes, int length) {
        return decoded(new String(bytes, 0, length, StandardCharsets.ISO_8859_1));
    }

    static String decoded(String line) {
        byte[] bytes = line.getBytes(StandardCharsets.ISO_8859_1);
        int all = 0;
        for (byte one : bytes) {
            all |= one;
        }
        boolean isBytes = all < 0 && line.equals(new String(bytes, StandardCharsets.ISO_8859_1));
        String text = isBytes ? new String(bytes, StandardCharsets.UTF_8) : line;
        return text.startsWith("\ufeff") ? text.substring(1) : text;
    }

    /** Notes of monitors, kernels and servers about one moment. */
    List<Clue> notes() {
        return known.notes();
    }

    /** Returns whether the pattern takes so long that going on is no use. */
    public boolean isHopeless() {
        return pattern != null && pattern.isHopeless();
    }

    /** Lines that were left out, as the pattern takes too long on them. */
    public int givenUp() {
        return pattern == null ? 0 : pattern.givenUp();
    }
}
