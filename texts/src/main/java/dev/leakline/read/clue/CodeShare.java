package dev.leakline.read.clue;

import java.util.regex.Pattern;

/** Tells source code in Python, also within the fences of Markdown, from what programs print, by the share of lines that are code. */
final class CodeShare {
    private static final Pattern MODULE = Pattern.compile(
            "(?:import \\w|from [\\w.]{1,100} import |def \\w{1,100}\\(|class \\w{1,100}[(:]|async def |@\\w)");
    private static final Pattern CODE = Pattern.compile(
            "@\\w|#|(?:import|from|def|class|if|elif|else|for|while|with|try|except|finally|return|yield|raise|assert|async|await|pass|break|continue|del|print|global|nonlocal)\\b"
                    + "|[\\w.\\[\\]\"', *]{1,80}(?:[-+*/|&@%]|//|\\*\\*|:[\\w\\[\\], .|]{1,60})? ?= ?\\S|[\\w.]{1,80}\\(");
    /** Last characters of a line of code that goes on in the next one, or ends what began before. */
    private static final String ENDS = ",([{:)]}\\";
    /** The most of a text that may be something else: text in strings over several lines. */
    private static final double OTHER = 0.2;

    private long lines;
    private long code;
    private boolean hasModule;
    private boolean isInString;

    /** Takes a line as written. */
    void take(String text) {
        String bare = text.strip();
        if (bare.isEmpty() || bare.startsWith("```")) {
            return;
        }
        lines++;
        boolean isString = isInString;
        for (String quotes : new String[] {"\"\"\"", "'''"}) {
            for (int at = bare.indexOf(quotes); at >= 0; at = bare.indexOf(quotes, at + quotes.length())) {
                isInString = !isInString;
                isString = true;
            }
        }
        hasModule |= !isString && MODULE.matcher(text).lookingAt();
        boolean isCode =
                isString || CODE.matcher(bare).lookingAt() || ENDS.indexOf(bare.charAt(bare.length() - 1)) >= 0;
        code += isCode ? 1 : 0;
    }

    /** Returns whether all that was taken is source. */
    boolean isSource() {
        return hasModule && lines - code <= OTHER * lines;
    }
}
