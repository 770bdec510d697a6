package dev.leakline.join;

import dev.leakline.known.Cause;
import dev.leakline.known.Diagnosis;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Advice;
import dev.leakline.result.Finding.Basis;
import dev.leakline.result.Finding.Kind;
import dev.leakline.result.Holders.Dump;
import dev.leakline.result.Holders.Group;
import dev.leakline.result.Holders.Growth;
import dev.leakline.result.Holders.Verdict;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Names who holds what figures saw grow, where dumps of the same process show something that grew as fast. */
public final class GrownHolders {
    /** The share of the growth at which a group decides what grows; and nothing of a process grows twice as fast as its figures say. */
    private static final double MOST_OF_IT = 0.5;

    private static final double MICROS = 1e6;

    private final List<ProcessDump> processes;
    private final IntFunction<String> names;

    /**
     * Whoever some processes' dumps name.
     *
     * @param names the name of each input
     */
    public GrownHolders(List<ProcessDump> processes, IntFunction<String> names) {
        this.processes = processes;
        this.names = names;
    }

    /** A figure's finding with who holds what grew, and the cause that the dump shows; as it is where no dump tells. */
    public Finding join(Finding grown) {
        return grown.kind() == Kind.LEAK && grown.device() >= 0
                ? process(grown)
                        .flatMap(process -> group(process, grown).map(group -> joined(grown, process, group)))
                        .orElse(grown)
                : grown;
    }

    /** The process that a figure is of: the one whose number is in the name of its file, as the probe names what it writes; else the only one. */
    private Optional<ProcessDump> process(Finding grown) {
        List<ProcessDump> named = processes.stream()
                .filter(process -> names.apply(grown.input())
                        .contains("-" + process.newest().pid() + "."))
                .toList();
        List<ProcessDump> candidates = named.isEmpty() ? processes : named;
        return candidates.size() == 1 ? Optional.of(candidates.getFirst()) : Optional.empty();
    }

    /** The number of the group that took most of the growth. */
    private static Optional<Integer> group(ProcessDump process, Finding grown) {
        List<Group> groups = process.holders().groups();
        double expected = expected(process.holders().dumps(), grown);
        double all = groups.stream().mapToLong(GrownHolders::growth).sum();
        return IntStream.range(0, groups.size())
                .boxed()
                .filter(number -> groups.get(number).verdict() != Verdict.EXPECTED && growth(groups.get(number)) > 0)
                .max(Comparator.comparingLong(number -> growth(groups.get(number))))
                .filter(number -> growth(groups.get(number)) >= MOST_OF_IT * Math.max(all, expected))
                .filter(number -> expected >= MOST_OF_IT * growth(groups.get(number)));
    }

    private static long growth(Group group) {
        Growth growth = group.growth();
        return growth == null || !growth.isSteady()
                ? 0
                : growth.bytes().getLast() - growth.bytes().getFirst();
    }

    /** Bytes that a figure grew by from the first dump to the last; 0 where nobody knows how far apart those are. */
    private static double expected(List<Dump> dumps, Finding grown) {
        Dump first = dumps.getFirst();
        Dump last = dumps.getLast();
        double steps = first.step() < 0 ? 0 : last.step() - first.step();
        double seconds = (last.timeUs() - first.timeUs()) / MICROS;
        return Double.isNaN(grown.bytesPerStep()) ? seconds * grown.bytesPerSecond() : steps * grown.bytesPerStep();
    }

    private static Finding joined(Finding grown, ProcessDump process, int number) {
        Group group = process.holders().groups().get(number);
        Cause cause = Cause.ofHolders(group.cause()).orElse(Cause.CONTAINER);
        Diagnosis diagnosis = new Diagnosis(cause, Basis.DUMP, List.of());
        List<Advice> advice = Stream.concat(diagnosis.advice(group, false).stream(), grown.advice().stream())
                .toList();
        return grown.withHolders(List.of(process.holder(number, group.bytes(), group.storages())), advice)
                .withCause(diagnosis.told(), advice);
    }
}
