package dev.leakline.read.clue;

import dev.leakline.result.Conclusion.Resource;
import dev.leakline.source.Clue;
import dev.leakline.source.Clue.Kind;
import dev.leakline.source.lines.LogLines;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds in the beginning of a text what programs print beside messages and figures: tracebacks, prompts of Python, marks of what they do. What is
 * longer than anybody pastes is a log, of which messages and figures tell more, so only its beginning is read. Sentences are not read.
 */
public final class ClueFinder {
    /** Characters that are read: an issue of GitHub has 65,536 at most, and several may be pasted into one text. */
    private static final long MOST_READ = 1 << 20;
    /** Clues that are kept; one of a hundred lines is as good as the hundred. */
    private static final int MOST = 2000;

    private static final int MOST_SHOWN = 160;
    /** Lines that are alike but for their numbers, of which more tell nothing new. */
    private static final int MOST_ALIKE = 4;

    private static final Pattern FRAME = Pattern.compile("File \"([^\"]{1,300})\", line (\\d{1,9}), in (\\S{1,100})");
    /** A frame as IPython shows it, with the line that failed. */
    private static final Pattern CELL = Pattern.compile("^-{2,}> ?(\\d{1,6}) (\\S.{0,120})$");

    private static final Pattern LIBRARY =
            Pattern.compile("site-packages|dist-packages|/lib/python|\\\\lib\\\\|<frozen|<string>|^/pytorch/");
    private static final Pattern LIST_HEAD = Pattern.compile("\\s*\\|=+\\|\\s*");
    private static final Pattern LIST_END = Pattern.compile("\\s*\\+-+\\+\\s*");
    private final List<Clue> clues = new ArrayList<>();
    private final PythonCode code = new PythonCode();
    private final Transcript transcript = new Transcript(this::keep);
    /** True if the line before ends the head of nvidia-smi's list of processes. */
    private boolean isListBegun;
    /** How often lines of each form came; as many as lines of the part that is read. */
    private final Map<Integer, Integer> forms = new HashMap<>();

    private long read;

    /** Takes the piece of a line at which {@code lines} stand. */
    public void take(LogLines lines) {
        read += lines.length() + 1;
        if (read > MOST_READ || !lines.isStart()) {
            return;
        }
        String text = new String(lines.text(), 0, lines.length());
        code.take(text, lines.number());
        if (clues.size() < MOST && (isNew(lines) || transcript.isOpen())) {
            line(text, lines.number());
        }
    }

    /** Returns whether few lines so far were the same but for their numbers: the lines of a log repeat, and figures tell what their numbers do. */
    private boolean isNew(LogLines lines) {
        int form = 0;
        for (int i = 0; i < lines.length(); i++) {
            char character = lines.text()[i];
            form = character >= '0' && character <= '9' ? form : form * 31 + character;
        }
        return forms.merge(form, 1, Integer::sum) <= MOST_ALIKE;
    }

    private void line(String text, long number) {
        String small = text.toLowerCase(Locale.ROOT);
        for (Mark mark : Mark.in(small)) {
            keep(mark.clue(number, shown(text)));
        }
        list(text, number);
        frame(text, number);
        transcript.take(small, text, number);
    }

    /** A list of nvidia-smi's without a row. */
    private void list(String text, long number) {
        if (isListBegun && LIST_END.matcher(text).matches()) {
            keep(new Clue(Kind.MARK, Resource.DEVICE, 0, number, shown(text), "NOBODY_LISTED", -1, ""));
        }
        isListBegun = LIST_HEAD.matcher(text).matches();
    }

    private void frame(String text, long number) {
        Matcher cell = CELL.matcher(text);
        if (cell.matches()) {
            keep(new Clue(Kind.TRACEBACK, null, 0, number, cell.group(2)));
        }
        Matcher frame = FRAME.matcher(text);
        if (frame.find() && !LIBRARY.matcher(frame.group(1)).find()) {
            keep(new Clue(
                    Kind.TRACEBACK, null, 0, number, frame.group(1) + ":" + frame.group(2) + " " + frame.group(3)));
        }
    }

    private void keep(Clue clue) {
        clues.add(clue);
    }

    private static String shown(String text) {
        String whole = text.strip();
        return whole.substring(0, Math.min(whole.length(), MOST_SHOWN));
    }

    /** The clues that were found, in the order of lines; of a text that is source, only that. */
    public List<Clue> finish() {
        if (code.isSource()) {
            clues.clear();
            keep(new Clue(Kind.PYTHON_SOURCE, null, 0, 1, ""));
        }
        String shown = code.text();
        if (!shown.isEmpty()) {
            keep(new Clue(Kind.PYTHON_CODE, null, 0, 1, shown));
        }
        return List.copyOf(clues);
    }
}
