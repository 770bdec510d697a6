package dev.leakline.conclusion;

import dev.leakline.result.Finding.Advice;
import dev.leakline.source.Clue.Kind;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a text says of settings that advice names: that they were tried, and which value fits. */
record SaidSettings(CaseTexts texts) {
    /** A variable of the environment or an option of a command. */
    private static final Pattern SETTING = Pattern.compile("\\b[A-Z]{2,}_[A-Z_]{3,}=[\\w:.]+|--[a-z][a-z-]{3,}");
    /** How advice names a length that a server may have told. */
    private static final String WHAT_FITS = "to what fits";

    /** The same advice with the length that fits, where a server says it. */
    Advice fitted(Advice advice) {
        long length = texts.most(Kind.FITTING_LENGTH);
        return length == 0
                ? advice
                : Advice.of(
                        advice.action().replace(WHAT_FITS, "to " + length + ", which fits by the message"),
                        advice.why(),
                        advice.expectedBytes(),
                        "",
                        "",
                        advice.link());
    }

    /** Whether the text says of the first setting that a step names that it is set or was tried. */
    boolean isTried(Advice step) {
        Matcher setting = SETTING.matcher(step.action());
        return setting.find()
                && texts.clues(Kind.TRIED).anyMatch(said -> said.clue().text().contains(setting.group()));
    }
}
