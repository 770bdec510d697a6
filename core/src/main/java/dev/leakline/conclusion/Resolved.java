package dev.leakline.conclusion;

import dev.leakline.cases.CaseTexts;
import dev.leakline.cases.CaseTexts.Placed;
import dev.leakline.result.Conclusion.Evidence;
import dev.leakline.result.Conclusion.Resource;
import dev.leakline.source.Clue;
import dev.leakline.source.Clue.Kind;
import dev.leakline.text.ByteSize;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A problem that is solved, by what the text says: its title says so, or somebody says it after all that was wrong. What comes later and is wrong
 * again is open.
 *
 * @param resource the memory that it was about, null where nobody says
 * @param level at how much memory stays since, where the text says; empty where not
 * @param peak what it comes to, where the text has the highest peak and the size of the device; empty where not
 * @param evidence who says so, then what it was where code shows it
 */
record Resolved(
        @Nullable Resource resource, Optional<Placed> level, Optional<FittingPeak> peak, List<Evidence> evidence) {
    /** The problem of a case; empty where nobody says that it is solved. */
    static Optional<Resolved> of(CaseTexts texts) {
        return texts.clues(Kind.SOLVED)
                .filter(said -> isTitle(said) || isLast(said, texts))
                .reduce((_, last) -> last)
                .map(said -> new Resolved(
                        FittingPeak.of(texts).isPresent() ? Resource.DEVICE : texts.spokenOf(),
                        texts.clues(Kind.SAME_LEVEL)
                                .filter(level -> level.input() == said.input()
                                        && level.clue().line() >= said.clue().line())
                                .findFirst(),
                        FittingPeak.of(texts),
                        Stream.concat(Stream.of(said), texts.clue(Kind.KEEPS_RESULTS).stream())
                                .map(Placed::evidence)
                                .toList()));
    }

    /** What stands below a title, or below the words of somebody who closes an issue, is over. */
    private static boolean isTitle(Placed said) {
        String text = said.clue().text().toLowerCase(Locale.ROOT);
        return text.contains("solved]") || text.contains("closing");
    }

    /** Whether nothing that is wrong stands behind it in its text. */
    private static boolean isLast(Placed said, CaseTexts texts) {
        Clue clue = said.clue();
        boolean growsLater = texts.clues(Kind.SAYS_GROWS)
                .anyMatch(other -> other.input() == said.input() && other.clue().line() > clue.line());
        boolean failsLater = texts.messages().stream()
                .filter(message -> texts.input(message) == said.input())
                .anyMatch(message -> message.places().stream().anyMatch(place -> place.line() > clue.line()));
        return !growsLater && !failsLater;
    }

    String sentence() {
        return "the problem is solved, by what the text says"
                + level.map(one -> "; since then memory stays at "
                                + ByteSize.format(one.clue().bytes()))
                        .orElse("")
                + peak.map(one -> "; " + one.sentence()).orElse("");
    }
}
