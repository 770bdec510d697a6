package dev.leakline.conclusion;

import dev.leakline.cases.CaseTexts;
import dev.leakline.cases.CaseTexts.Placed;
import dev.leakline.result.Conclusion.Resource;
import dev.leakline.result.Finding.Advice;
import dev.leakline.source.Clue.Kind;
import dev.leakline.text.NaturalOrder;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What is known of programs that a text names: {@code programs.txt}, which explains its form. */
final class ProgramNotes {
    private static final Pattern VERSION = Pattern.compile("\\d{1,3}(?:\\.\\d{1,3}){1,2}");
    private static final Pattern BLANKS = Pattern.compile("\\s+");
    private static final List<Note> NOTES = KnownStep.rows("programs.txt").stream()
            .map(row -> note(List.of(BLANKS.split(row.head(), -1)), KnownStep.advice(row)))
            .toList();

    /**
     * What is known.
     *
     * @param since the version that changed it; empty where it has always been so
     */
    private record Note(List<Kind> marks, Resource resource, String since, Advice advice) {
        boolean fits(CaseTexts texts, Resource about) {
            return resource == about && marks.stream().allMatch(texts::has) && (since.isEmpty() || isCrossed(texts));
        }

        /** Whether versions on both sides of the change are compared. */
        private boolean isCrossed(CaseTexts texts) {
            List<String> versions = texts.clues(Kind.COMPARES_VERSIONS)
                    .map(Placed::clue)
                    .flatMap(clue -> VERSION.matcher(clue.text()).results().map(MatchResult::group))
                    .toList();
            return versions.stream().anyMatch(version -> NaturalOrder.NAMES.compare(version, since) < 0)
                    && versions.stream().anyMatch(version -> NaturalOrder.NAMES.compare(version, since) >= 0);
        }
    }

    private ProgramNotes() {}

    /** Steps for what is known of a change between the versions that are compared. */
    static Stream<Advice> changes(CaseTexts texts, Resource about) {
        return NOTES.stream()
                .filter(note -> !note.since().isEmpty() && note.fits(texts, about))
                .map(Note::advice);
    }

    /** Steps for what the programs always keep. */
    static Stream<Advice> habits(CaseTexts texts, Resource about) {
        return NOTES.stream()
                .filter(note -> note.since().isEmpty() && note.fits(texts, about))
                .map(Note::advice);
    }

    /** Steps for what the programs keep that a mark tells of. */
    static Stream<Advice> habits(CaseTexts texts, Resource about, Kind mark) {
        return NOTES.stream()
                .filter(note -> note.marks.contains(mark) && note.fits(texts, about))
                .map(Note::advice);
    }

    private static Note note(List<String> head, Advice advice) {
        String last = head.getLast();
        boolean isVersion = VERSION.matcher(last).matches();
        List<String> words = isVersion ? head.subList(0, head.size() - 1) : head;
        List<Kind> marks =
                words.subList(0, words.size() - 1).stream().map(Kind::valueOf).toList();
        return new Note(marks, Resource.valueOf(words.getLast()), isVersion ? last : "", advice);
    }
}
