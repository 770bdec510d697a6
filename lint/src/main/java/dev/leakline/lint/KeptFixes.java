package dev.leakline.lint;

import dev.leakline.lint.fix.Patch;
import dev.leakline.lint.rule.Hits.Hit;
import dev.leakline.python.flow.Program;
import dev.leakline.python.flow.SourceFile;
import dev.leakline.python.keep.Cure;
import dev.leakline.python.keep.Keepers;
import dev.leakline.python.keep.KeptSearch;
import dev.leakline.python.keep.KeptSearch.Call;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The edits for what rules find that keeps something: those that a report of a recording has, of the same statement. */
final class KeptFixes {
    private static final String GRAPHS = "LK001";
    private static final String CYCLES = "LK005";
    /** Rules of what is kept; what others find has edits of their own. */
    private static final Set<String> RULES =
            Set.of(GRAPHS, "LK004", CYCLES, "LK007", "LK009", "LK011", "LK014", "LK015");

    private final SourceFile file;
    private final Program program = new Program((_, _) -> null);

    KeptFixes(SourceFile file) {
        this.file = file;
        program.add(file);
    }

    /** The patch of a match: the first cure of what is kept, else that of the rule. */
    Patch of(Hit hit) {
        return Optional.of(hit.rule())
                .filter(RULES::contains)
                .flatMap(rule -> cures(hit).stream().findFirst().filter(cure -> !cure.isOpen()))
                .map(KeptFixes::patch)
                .orElse(hit.patch());
    }

    private List<Cure> cures(Hit hit) {
        KeptSearch search = new KeptSearch(program, List.of(new Call(file, file.line(hit.node()))));
        Keepers keepers = new Keepers(search);
        int start = hit.node().start();
        int end = hit.node().end();
        return hit.rule().equals(CYCLES)
                ? keepers.cycles(file, start, end)
                : keepers.cures(file, start, end, hit.isTensor(), hit.rule().equals(GRAPHS));
    }

    private static Patch patch(Cure cure) {
        return new Patch(cure.edits(), cure.isSafe());
    }
}
