package dev.leakline.known.source;

import static java.util.Map.entry;

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
    private static final Map<Cure.Kind, Set<String>> WORDS = Map.ofEntries(
            entry(Cure.Kind.BOUND, Set.of("Bound ", "limit")),
            entry(Cure.Kind.LIMIT, Set.of("Bound ", "limit", "maxsize")),
            entry(Cure.Kind.TO_HOST, Set.of("CPU memory", "detached copy")),
            entry(Cure.Kind.FRAMES, Set.of("traceback")),
            entry(Cure.Kind.DETACH, Set.of("detached copy", ".detach()", "torch.autograd.grad(")),
            entry(Cure.Kind.COPY, Set.of("copy of the part", ".clone()")),
            entry(Cure.Kind.REMOVE, Set.of("handle.remove()")),
            entry(Cure.Kind.UNCACHE, Set.of("Take the cache off")),
            entry(Cure.Kind.CLEAR, Set.of("Clear ", ".reset()")),
            entry(Cure.Kind.FORGET, Set.of("add_done_callback")),
            entry(Cure.Kind.AS_TEXT, Set.of("Log texts")),
            entry(Cure.Kind.SAVE, Set.of("save_for_backward")),
            entry(Cure.Kind.TAKE, Set.of("close()")),
            entry(Cure.Kind.MATCH, Set.of("__eq__")),
            entry(Cure.Kind.UNCHAIN, Set.of("of the one before")),
            entry(Cure.Kind.UNREGISTER, Set.of("End the registration")),
            entry(Cure.Kind.RELEASE, Set.of("End the registration", "weakref.ref", "weakref.finalize")));

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
                boolean isPatch = cured.isEmpty()
                        && !cure.isOpen()
                        && cure.edits().stream().map(Edit::file).allMatch(files::isPatchable);
                cured.add(isPatch ? patched(base, cure, patch) : example(base, cure, patch));
            }
        }
        others.stream().map(CuredAdvice::without).forEach(cured::add);
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

    /** The lines before and after; where lines only come, the one that they follow. */
    private static Advice example(Advice base, Cure cure, String patch) {
        List<String> sides = Diff.sides(patch);
        Advice said =
                cure.isOpen() ? Advice.of(base.action(), cure.why(), base.expectedBytes(), "", "", base.link()) : base;
        if (!sides.getFirst().isEmpty()) {
            return said.withExample(sides.getFirst(), sides.getLast());
        }
        Edit last = cure.edits().getLast();
        String line = last.line();
        boolean isBefore = last.text().endsWith("\n");
        return said.withExample(line, isBefore ? sides.getLast() + "\n" + line : line + "\n" + sides.getLast());
    }

    /** Advice for a source at hand without an example, whose lines the source does not have. */
    static Advice without(Advice advice) {
        return advice.patch() == null ? advice.withExample("", "") : advice;
    }
}
