package dev.leakline.known.source;

import dev.leakline.known.edit.SourceEdit;
import dev.leakline.known.edit.SourceFiles;
import dev.leakline.python.edit.Diff;
import dev.leakline.python.edit.Edit;
import dev.leakline.python.keep.Cure;
import dev.leakline.result.Finding.Advice;
import dev.leakline.result.Finding.PatchSafety;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The advice of a cause with cures of the source: the first as a patch, since a report is given to git as a whole; others as examples. */
final class CuredAdvice {
    /** Alternatives that a reader compares. */
    private static final int MOST = 3;

    /** Words of the remedies that are each carried out by a kind of cure. */
    private static final Map<Cure.Kind, Set<String>> WORDS = Map.of(
            Cure.Kind.BOUND, Set.of("Bound ", "limit"),
            Cure.Kind.LIMIT, Set.of("Bound ", "limit"),
            Cure.Kind.TO_HOST, Set.of("CPU memory", "detached copy"),
            Cure.Kind.FRAMES, Set.of("traceback"),
            Cure.Kind.DETACH, Set.of("detached copy", ".detach()"),
            Cure.Kind.COPY, Set.of("copy of the part", ".clone()"));

    private CuredAdvice() {}

    static List<Advice> of(List<Advice> advice, List<Cure> cures, SourceFiles files) {
        List<Advice> others = new ArrayList<>(advice);
        List<Advice> cured = new ArrayList<>();
        for (Cure cure : cures.stream().limit(MOST).toList()) {
            String patch = Diff.of(cure.edits()).orElse("");
            if (!patch.isEmpty()) {
                Optional<Advice> same =
                        others.stream().filter(each -> isSame(each, cure)).findFirst();
                same.ifPresent(others::remove);
                Advice base = same.orElseGet(() -> named(cure, advice));
                boolean isPatch =
                        cured.isEmpty() && cure.edits().stream().map(Edit::file).allMatch(files::isPatchable);
                cured.add(isPatch ? patched(base, cure, patch) : example(base, cure, patch));
            }
        }
        others.stream().map(SourceEdit::without).forEach(cured::add);
        return List.copyOf(cured);
    }

    private static boolean isSame(Advice advice, Cure cure) {
        return WORDS.getOrDefault(cure.kind(), Set.of()).stream().anyMatch(advice.action()::contains);
    }

    private static Advice named(Cure cure, List<Advice> advice) {
        Advice first = advice.isEmpty() ? null : advice.getFirst();
        return Advice.of(
                cure.kind().action(),
                cure.why(),
                first == null ? 0 : first.expectedBytes(),
                "",
                "",
                first == null ? "" : first.link());
    }

    private static Advice patched(Advice base, Cure cure, String patch) {
        return base.withPatch(patch, cure.isSafe() ? PatchSafety.SAFE : PatchSafety.REVIEW, cure.why());
    }

    /** What the lines were and what they become; where lines only come, the one that they follow. */
    private static Advice example(Advice base, Cure cure, String patch) {
        List<String> sides = Diff.sides(patch);
        if (!sides.getFirst().isEmpty()) {
            return base.withExample(sides.getFirst(), sides.getLast());
        }
        String line = cure.edits().getLast().line();
        return base.withExample(line, line + "\n" + sides.getLast());
    }
}
