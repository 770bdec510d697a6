package dev.leakline.source.lines;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Takes lines all of whose characters stand for themselves, without a look at each: by their forms. */
final class PlainLines {
    private final LogBytes bytes;
    private final LineForms forms;
    private final PlainText line = new PlainText();
    /** Where the line begins in the words of the chunk. */
    private int from;

    private boolean isEndOfLine;

    PlainLines(LogBytes bytes, LineForms forms) {
        this.bytes = bytes;
        this.forms = forms;
    }

    /** Takes the next line, or what stands in it before a carriage return; the form of it, null where it has none or does not stand for itself. */
    @Nullable
    LineForm next() throws IOException {
        LineForm expected = forms.expected();
        LineForm form = expected != null && isNext(expected) ? expected : find();
        if (form == null || !form.isPlain()) {
            return null;
        }
        forms.goTo(form);
        take(form.length());
        return form;
    }

    private boolean isNext(LineForm form) {
        return bytes.isEndOfLine(form.length()) && form.fits(bytes.words(), bytes.next());
    }

    private @Nullable LineForm find() throws IOException {
        int length = bytes.untilControl(LineForms.MOST);
        return length <= LineForms.MOST && bytes.isEndOfLine(length)
                ? forms.of(bytes.words(), bytes.next(), length)
                : null;
    }

    private void take(int length) {
        from = bytes.next();
        line.goTo(bytes.chunk(), from, length, bytes.position());
        isEndOfLine = bytes.skipLine(length);
    }

    /** The line that was taken last. */
    PlainText line() {
        return line;
    }

    /** Returns whether it ended there, and not at a carriage return. */
    boolean isEndOfLine() {
        return isEndOfLine;
    }

    /** Bytes before the next line. */
    long position() {
        return bytes.position();
    }

    /** The form of what stands in it from a place on. */
    LineForm rest(int place, int length) {
        return forms.of(bytes.words(), from + place, length - place);
    }
}
