package dev.leakline.read.clue;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The Python that a text shows: all of it where it is source, else what stands in fences of Markdown and behind prompts; each line at its place. */
final class PythonCode {
    /** Characters that are kept; programs that people paste are shorter. */
    private static final int MOST = 1 << 17;
    /** Lines after which a text that is no source so far is none. */
    private static final int FEW = 100;

    private static final Pattern FENCE =
            Pattern.compile("```(?: ?(?:python|py|python3|ipython|pycon)\\b.*)?", Pattern.CASE_INSENSITIVE);
    private static final Pattern PROMPT = Pattern.compile("\\s{0,8}(?:>>>|\\.\\.\\.|In \\[\\d{1,5}\\]:) ");

    private final CodeShare share = new CodeShare();
    private final StringBuilder all = new StringBuilder();
    private final StringBuilder shown = new StringBuilder();
    private long line;
    private boolean isOpen;
    private boolean isFenced;

    /** Takes a line as written, after all that stand before it. */
    void take(String text, long number) {
        share.take(text);
        if (all.length() < MOST && (number < FEW || share.isSource())) {
            all.append(text).append('\n');
        }
        String bare = text.strip();
        Matcher prompt = PROMPT.matcher(text);
        if (bare.startsWith("```")) {
            isFenced = !isOpen && FENCE.matcher(bare).matches();
            isOpen = !isOpen;
        } else if (prompt.lookingAt()) {
            show(text.substring(prompt.end()), number);
        } else if (isFenced) {
            show(text, number);
        }
    }

    private void show(String code, long number) {
        if (shown.length() < MOST) {
            shown.append("\n".repeat((int) (number - 1 - line))).append(code).append('\n');
            line = number;
        }
    }

    /** Returns whether all that was taken is source. */
    boolean isSource() {
        return share.isSource();
    }

    /** The code, with as many lines as the text has up to its last one; empty where there is none. */
    String text() {
        return isSource() && shown.isEmpty() ? all.toString() : shown.toString();
    }
}
