package dev.leakline.conclusion;

import dev.leakline.cases.CaseTexts;
import dev.leakline.cases.CaseTexts.Placed;
import dev.leakline.source.Clue.Kind;
import dev.leakline.text.ByteSize;
import java.util.Optional;

/**
 * Memory that rose to a level and, by what is said behind it, stays at that level.
 *
 * @param said who says that it stays
 */
record Settled(Placed said) {
    /** Two sizes of one level differ by less: they are rounded as people say them. */
    private static final double SAME = 0.02;

    static Optional<Settled> of(CaseTexts texts) {
        return texts.largest(Kind.ROSE_TO)
                .flatMap(top -> texts.clues(Kind.STAYS_AT)
                        .filter(level -> isBehind(level, top) && isSame(level, top))
                        .findFirst())
                .map(Settled::new);
    }

    private static boolean isBehind(Placed level, Placed top) {
        return level.input() == top.input() && level.clue().line() >= top.clue().line();
    }

    private static boolean isSame(Placed level, Placed top) {
        return Math.abs(level.clue().bytes() - top.clue().bytes())
                <= SAME * top.clue().bytes();
    }

    String sentence() {
        return "memory rose to " + ByteSize.format(said.clue().bytes()) + " and stays there, by what the text says";
    }
}
