package dev.leakline.cases;

import dev.leakline.cases.CaseTexts.Clues;
import dev.leakline.result.OutOfMemoryExplanation;
import dev.leakline.result.OutOfMemoryLog.Place;
import dev.leakline.source.Clue;
import dev.leakline.source.Clue.Kind;
import java.util.List;

/** What the writers of texts quote of others: where a writer shows a message of his own, the quoted ones are of other machines. */
public final class Quotations {
    private final CaseTexts texts;

    private Quotations(CaseTexts texts) {
        this.texts = texts;
    }

    /** The texts without what they quote, where a message stands outside of it. */
    public static CaseTexts without(CaseTexts texts) {
        Quotations quotations = new Quotations(texts);
        List<OutOfMemoryExplanation> own = texts.messages().stream()
                .filter(message -> !quotations.isQuoted(message))
                .toList();
        return own.isEmpty() || own.size() == texts.messages().size()
                ? texts
                : new CaseTexts(
                        texts.clues().stream().map(Quotations::own).toList(),
                        texts.logs(),
                        own,
                        texts.series(),
                        texts.verdict(),
                        texts.findings());
    }

    private boolean isQuoted(OutOfMemoryExplanation message) {
        return texts.clues().stream()
                .filter(text -> text.input() == texts.input(message))
                .anyMatch(text -> message.places().stream().map(Place::line).allMatch(line -> isQuoted(text, line)));
    }

    private static Clues own(Clues text) {
        return new Clues(
                text.input(),
                text.found().stream()
                        .filter(clue -> !isQuoted(text, clue.line()))
                        .toList());
    }

    /** Whether the last mark of a quote before a line or at it begins one. */
    private static boolean isQuoted(Clues text, long line) {
        return text.found().stream()
                        .filter(clue -> clue.line() <= line)
                        .map(Clue::kind)
                        .filter(kind -> kind == Kind.QUOTE_BEGINS || kind == Kind.QUOTE_ENDS)
                        .reduce(Kind.QUOTE_ENDS, (_, last) -> last)
                == Kind.QUOTE_BEGINS;
    }
}
