package dev.leakline.read.log;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.result.OutOfMemoryLog.Place;
import dev.leakline.source.lines.LogPiece;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The text of a few lines of one speaker as it was before terminals, loggers and web pages had it, and the way back to the lines: single
 * blanks, no tags and entities of HTML, no lines of boxes. Between two lines stands {@link #CUT} where a terminal's last column surely was,
 * {@link #JOINT} where it may have been, so that a word may be in two pieces there, else {@link #END}.
 */
final class LogView {
    /** Between lines of which the first is as long as one beside it. */
    static final char CUT = 0x0b;
    /** Between lines of which the first is no shorter than the second. */
    static final char JOINT = '\n';
    /** Between other lines. */
    static final char END = '\r';

    /** Tags are short, and names of C++ types are none. */
    private static final int MOST_TAG = 32;

    private static final int MOST_ENTITY = 8;
    private static final List<String> TAGS = List.of(
            "br",
            "pre",
            "p",
            "div",
            "span",
            "code",
            "b",
            "i",
            "em",
            "strong",
            "td",
            "tr",
            "li",
            "blockquote",
            "samp",
            "tt",
            "font");
    private static final Map<String, Character> ENTITIES = Map.of(
            "lt", '<', "gt", '>', "amp", '&', "quot", '"', "apos", '\'', "nbsp", ' ', "#39", '\'', "#x27", '\'', "#34",
            '"', "#160", ' ');
    /** Lines of boxes are U+2500 to U+257F: in UTF-8 these bytes, of which the first two tell. */
    private static final char BOX_FIRST = 0xe2;

    private static final char BOX_SECOND = 0x94;

    private char[] text = new char[1024];
    private int length;
    /** Places before which something was left out or put in, and the columns of their pieces that stand there. */
    private final IntArrayList jumps = new IntArrayList();

    private final IntArrayList columns = new IntArrayList();
    private final List<LogPiece> pieces = new ArrayList<>();
    private final IntArrayList starts = new IntArrayList();
    private final IntArrayList lines = new IntArrayList();
    /** Characters of each piece from the first on that was added. */
    private final IntArrayList added = new IntArrayList();
    /** The first and the last place that {@link #at} has looked at. */
    private int first;

    private int last;

    /** Adds the part of a piece between two places; {@code joint} is what stands between it and the one before. */
    void append(LogPiece piece, int from, int to, char joint) {
        if (length > 0 && piece.isStart()) {
            put(joint, from);
        }
        boolean isFirst = pieces.isEmpty();
        boolean isSameLine = !isFirst && pieces.getLast().number() == piece.number();
        lines.add(isFirst ? 0 : lines.get(pieces.size() - 1) + (isSameLine ? 0 : 1));
        pieces.add(piece);
        starts.add(length);
        added.add(piece.length() - from);
        char[] source = piece.text();
        int at = from;
        while (at < to) {
            int same = same(source, at, to);
            if (same > at) {
                put(source, at, same);
                at = same;
            } else {
                at = source[at] == '<' || source[at] == '&' ? markup(source, at, to) : plain(source, at, to);
            }
        }
    }

    /** Where characters end that stand for themselves: printed ones, and single blanks between them. */
    private static int same(char[] source, int from, int to) {
        int at = from;
        while (at < to && (isSame(source[at]) || (source[at] == ' ' && at > from && source[at - 1] != ' '))) {
            at++;
        }
        return at;
    }

    private static boolean isSame(char character) {
        return character > ' ' && character < BOX_FIRST && character != '<' && character != '&';
    }

    private void put(char[] source, int from, int to) {
        come(from);
        reserve(to - from);
        System.arraycopy(source, from, text, length, to - from);
        length += to - from;
    }

    private int plain(char[] source, int at, int to) {
        boolean isBox = source[at] == BOX_FIRST && at + 2 < to && (source[at + 1] & ~1) == BOX_SECOND;
        boolean isBlank = isBox || source[at] <= ' ' || (source[at] >= 0x2500 && source[at] < 0x2580);
        if (!isBlank) {
            put(source[at], at);
        } else if (length > 0 && (text[length - 1] > ' ' || text[length - 1] == CUT)) {
            put(' ', at);
        }
        return isBox ? at + 3 : at + 1;
    }

    /** Replaces a tag or an entity by its text; others stand for themselves. */
    private int markup(char[] source, int at, int to) {
        boolean isTag = source[at] == '<';
        char last = isTag ? '>' : ';';
        int end = at + 1;
        while (end < to && end - at < (isTag ? MOST_TAG : MOST_ENTITY) && source[end] != last) {
            end++;
        }
        if (end == to || source[end] != last) {
            return plain(source, at, to);
        }
        String name = new String(source, at + 1, end - at - 1);
        Character entity = isTag ? tag(name) : ENTITIES.get(name);
        if (entity == null) {
            return plain(source, at, to);
        }
        put(entity, at);
        return end + 1;
    }

    private static @Nullable Character tag(String name) {
        String bare = name.startsWith("/") ? name.substring(1) : name;
        int end = 0;
        while (end < bare.length() && Character.isLetterOrDigit(bare.charAt(end))) {
            end++;
        }
        return TAGS.contains(bare.substring(0, end)) ? ' ' : null;
    }

    private void put(char character, int column) {
        come(column);
        reserve(1);
        text[length++] = character;
    }

    /** The next character is from a column of its piece. */
    private void come(int column) {
        if (jumps.isEmpty() || columns.get(columns.size() - 1) + length - jumps.get(jumps.size() - 1) != column) {
            jumps.add(length);
            columns.add(column);
        }
    }

    private int column(int place) {
        int found = Arrays.binarySearch(jumps.buffer, 0, jumps.size(), place);
        int jump = found < 0 ? -found - 2 : found;
        return columns.get(jump) + place - jumps.get(jump);
    }

    private void reserve(int more) {
        if (length + more > text.length) {
            text = Arrays.copyOf(text, 2 * (length + more));
        }
    }

    char[] text() {
        return text;
    }

    int length() {
        return length;
    }

    /** The character at a place in small letters, 0 outside. */
    char at(int place) {
        first = Math.min(first, place);
        last = Math.max(last, place);
        if (place < 0 || place >= length) {
            return 0;
        }
        char character = text[place];
        return character >= 'A' && character <= 'Z' ? (char) (character + 32) : character;
    }

    /** Begins to note which places are looked at. */
    void note() {
        first = Integer.MAX_VALUE;
        last = -1;
    }

    /** Returns whether none outside of a stretch was looked at since. */
    boolean isNotedWithin(int from, int to) {
        return first >= from && last < to;
    }

    /** How many pieces there are. */
    int pieces() {
        return pieces.size();
    }

    /** Where a piece begins; behind the last one, the end. What stands between it and the next is of the first. */
    int start(int piece) {
        return piece < pieces.size() ? starts.get(piece) : length;
    }

    /** The form of a piece. */
    long form(int piece) {
        return pieces.get(piece).form();
    }

    /** How many characters of a piece there are from the first on that was added. */
    int added(int piece) {
        return added.get(piece);
    }

    private int piece(int place) {
        int found = Arrays.binarySearch(starts.buffer, 0, starts.size(), place);
        int piece = found < 0 ? -found - 2 : found;
        while (piece + 1 < starts.size() && starts.get(piece + 1) == place) {
            piece++;
        }
        return piece;
    }

    /** The line that a place is in, counted from the first of this speaker: lines of others that stand in between part nothing. */
    int line(int place) {
        return lines.get(piece(place));
    }

    /** The line and the byte of the input that a place is. */
    Place place(int place) {
        LogPiece piece = pieces.get(piece(place));
        return new Place(piece.number(), piece.offset(column(place)));
    }

    /** Where the line begins that a place is in, or so many characters before. */
    int lineStart(int place, int most) {
        int start = place;
        while (start > 0 && place - start < most && text[start - 1] >= ' ') {
            start--;
        }
        return start;
    }

    /** Where the line ends that a place is in, or so many characters behind. */
    int lineEnd(int place, int most) {
        int end = place;
        while (end < length && end - place < most && text[end] >= ' ') {
            end++;
        }
        return end;
    }

    /** The text between two places, in one line. Characters of files that are not UTF-16 are bytes until here. */
    String string(int from, int to) {
        StringBuilder line = new StringBuilder(to - from);
        boolean isBytes = true;
        for (int i = from; i < to; i++) {
            char character = text[i];
            boolean isBlank = character <= ' ';
            if (character != CUT && !(isBlank && (line.isEmpty() || line.charAt(line.length() - 1) == ' '))) {
                line.append(isBlank ? ' ' : character);
            }
            isBytes &= character < 0x100;
        }
        String joined = line.toString().strip();
        return isBytes ? new String(joined.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8) : joined;
    }

    /** Returns whether a character stands between lines, and a word may go on behind it. */
    static boolean isJoint(char character) {
        return character == JOINT || character == CUT;
    }
}
