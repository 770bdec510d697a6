package dev.leakline.python.keep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.python.Node;
import dev.leakline.python.edit.Diff;
import dev.leakline.python.flow.Program;
import dev.leakline.python.flow.SourceFile;
import dev.leakline.python.keep.KeptSearch.Call;
import dev.leakline.testkit.ChangedPrograms;
import dev.leakline.testkit.Fuzzing;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Changed programs: what keeps is found or not, whatever they say, and what is edited is Python if it was before. */
class KeptFuzzTest {
    @Test
    void changedProgramsAreSearched() throws IOException {
        ChangedPrograms programs = new ChangedPrograms();
        long[] cured = new long[1];
        Fuzzing.runs(300, random -> {
            String text = programs.next(random);
            SourceFile file = new SourceFile("train.py", text);
            Program program = new Program((_, _) -> null);
            program.add(file);
            int count = 1 + (int) text.lines().count();
            List<Call> calls = Stream.generate(() -> new Call(file, 1 + random.nextInt(count)))
                    .limit(random.nextInt(1, 4))
                    .toList();
            for (Cure cure : cures(file, new KeptSearch(program, calls), random)) {
                cured[0]++;
                Optional<String> diff = Diff.of(cure.edits());
                String edited = Diff.edited(file, cure.edits());
                diff.ifPresent(lines -> assertThat(
                                String.join("\n", patched(text, lines)).strip())
                        .as(text)
                        .isEqualTo(edited.strip()));
            }
        });
        assertThat(cured[0]).as("cures").isPositive();
    }

    /** The cures that one question has for its answer. */
    private static List<Cure> cures(SourceFile file, KeptSearch search, RandomGenerator random) {
        Keepers keepers = new Keepers(search);
        boolean is = random.nextBoolean();
        Node at = file.nodes().isEmpty()
                ? null
                : file.nodes().get(random.nextInt(file.nodes().size()));
        return switch (random.nextInt(20)) {
            case 0, 1, 2, 3, 4 -> cures(search, keepers, search.find(is), is);
            case 5 -> cures(search, keepers, new Hooks(search).storing(), is);
            case 6 -> cures(search, keepers, new Errors(search).besides(is), is);
            case 7 -> cures(search, keepers, new Gradients(search).kept(), is);
            case 8 -> at == null ? List.of() : keepers.cures(file, at.start(), at.end(), is, random.nextBoolean());
            case 9 -> at == null ? List.of() : keepers.cycles(file, at.start(), at.end());
            case 10 ->
                cures(List.of(
                        new Contexts(search).keeping(),
                        keepers.ofObjects(is).stream().findAny()));
            case 11 -> cures(List.of(new Memos(search).ofResults()));
            case 12 -> cures(List.of(new Errors(search).handled(is)));
            case 13 -> cures(List.of(new Errors(search).any()));
            case 14 ->
                cures(List.of(
                        new Hooks(search).referring(), new Hooks(search).piled(), new Iterators(search).repeating()));
            case 15 -> cures(List.of(new Finalizers(search).keeping(), new WeakKeys(search).referringBack()));
            case 16 -> cures(List.of(new Gradients(search).withGraphs()));
            case 17 -> cures(List.of(keepers.ofKnown()));
            case 18 -> cures(List.of(keepers.ofAutocast(), keepers.ofCollector()));
            default -> cures(List.of(new Suspended(search).keeping()));
        };
    }

    private static List<Cure> cures(KeptSearch search, Keepers keepers, Optional<Kept> found, boolean is) {
        List<Cure> cures = new ArrayList<>();
        found.ifPresent(kept -> {
            cures.addAll(cures(List.of(keepers.registered(kept), new Suspended(search).of(kept))));
            boolean _ = search.isFreed(kept) || search.isEmptied(kept) || Keepers.isWeak(kept);
            cures.addAll(Cures.of(search, kept, null, is, !is));
        });
        return cures;
    }

    private static List<Cure> cures(List<Optional<Keeper>> found) {
        return found.stream()
                .flatMap(Optional::stream)
                .flatMap(keeper -> keeper.cures().stream())
                .toList();
    }

    /** The lines that a diff says come of others, which must be there; the end of the last is not looked at. */
    private static List<String> patched(String text, String diff) {
        List<String> old = List.of(text.split("\n", -1));
        List<String> patched = new ArrayList<>();
        int next = 0;
        for (String line :
                diff.lines().skip(2).filter(line -> !line.startsWith("\\")).toList()) {
            if (line.startsWith("@@")) {
                int first = Integer.parseInt(line.replaceFirst("@@ -(\\d+),.*", "$1")) - 1;
                patched.addAll(old.subList(next, first));
                next = first;
                continue;
            }
            if (!line.startsWith("+")) {
                assertThat(old.get(next++)).isEqualTo(line.substring(1));
            }
            if (!line.startsWith("-")) {
                patched.add(line.substring(1));
            }
        }
        patched.addAll(old.subList(next, old.size()));
        return patched;
    }
}
