package dev.leakline.conclusion;

import dev.leakline.cases.CaseTexts;
import dev.leakline.cases.CaseTexts.Placed;
import dev.leakline.result.AnalysisResult.Verdict;
import dev.leakline.result.Conclusion;
import dev.leakline.result.Conclusion.Evidence;
import dev.leakline.result.Conclusion.Resource;
import dev.leakline.result.Conclusion.Unknown;
import dev.leakline.result.MeasuredSeries;
import dev.leakline.source.Clue;
import dev.leakline.text.ByteSize;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Concludes from texts in which no message says that memory ran out and no growth leads: other errors, pools and caches, who holds what, and what
 * comparing tells. The clearest of these speaks.
 */
final class QuietTexts {
    /** A cache of less than a quarter of what is reserved is the ordinary loss of rounding and of what the next step takes. */
    static final double MUCH_CACHED = 0.25;

    static final long LEAST_CACHED = ByteSize.GIB;
    private final CaseTexts texts;
    private final Facts facts;
    private final NextSteps next;
    private final DeviceUsers users;

    QuietTexts(CaseTexts texts, Facts facts, NextSteps next, DeviceUsers users) {
        this.texts = texts;
        this.facts = facts;
        this.next = next;
        this.users = users;
    }

    /** The rules in the order in which they are asked; those about a device come last. */
    Conclusion conclude() {
        Stream<Supplier<Optional<Conclusion>>> rules = Stream.of(
                () -> fault().map(this::notMemory),
                this::pool,
                this::killed,
                this::steady,
                () -> HostUser.of(texts).map(this::usedByHost),
                this::cachedByHost);
        return Stream.concat(rules, new DeviceTexts(texts, facts, next, users).rules())
                .flatMap(rule -> rule.get().stream())
                .findFirst()
                .orElseThrow();
    }

    /** Another fault than memory; where a process was killed, an error beside that may follow from it. */
    private Optional<OtherFault> fault() {
        return texts.has("KILLED") ? OtherFault.ofKill(texts) : OtherFault.of(texts);
    }

    private Optional<Conclusion> pool() {
        return texts.series("pool_share")
                .filter(_ -> texts.series().stream().noneMatch(MeasuredSeries::isBytes))
                .findFirst()
                .map(this::pool);
    }

    private Conclusion pool(MeasuredSeries pool) {
        return facts.conclusion(
                Conclusion.Kind.STEADY,
                Resource.KV_CACHE,
                "the share of a pool changes that was allocated at start; no memory grows",
                List.of(evidence(pool)),
                Set.of(),
                next.step("pool"));
    }

    private Optional<Conclusion> killed() {
        return texts.clue("KILLED").map(killed -> texts.has("ENDED_BY_ERROR") ? killedBelowLimit() : killed(killed));
    }

    /** A process was killed and nobody says why: nearly always by the host's memory, for which a full host or a limit speak. */
    private Conclusion killed(Placed killed) {
        facts.read(Resource.HOST);
        facts.printed(Resource.HOST);
        String sentence =
                "the process was killed without an error: most often that is the kernel, as host memory runs out, but"
                        + " the text does not say who it was";
        return facts.conclusion(
                Conclusion.Kind.HOST_OOM,
                Resource.HOST,
                sentence,
                List.of(killed.evidence()),
                EnumSet.of(Unknown.LINE, Unknown.GROWTH, Unknown.HOLDER),
                next.step("ram"));
    }

    /** Kubernetes and Docker say OOMKilled of a container that reached its limit, and something else of one that was killed otherwise. */
    private Conclusion killedBelowLimit() {
        facts.read(Resource.HOST);
        facts.printed(Resource.HOST);
        return facts.conclusion(
                Conclusion.Kind.UNDETERMINED,
                null,
                "the container was killed by signal 9, and its state does not say OOMKilled: it was probably not its"
                        + " memory limit",
                Stream.of("KILLED", "ENDED_BY_ERROR")
                        .flatMap(kind -> texts.clue(kind).stream())
                        .map(Placed::evidence)
                        .toList(),
                Set.of(),
                next.step("who-killed"));
    }

    /** An error that is none of memory; what would record memory does not help. */
    private Conclusion notMemory(OtherFault fault) {
        if (fault.isKill()) {
            facts.read(Resource.HOST);
            facts.printed(Resource.HOST);
        }
        return facts.conclusion(
                Conclusion.Kind.NOT_MEMORY,
                null,
                fault.sentence(),
                fault.place(texts).map(Placed::evidence).stream().toList(),
                Set.of(),
                next.fault(fault));
    }

    private Optional<Conclusion> steady() {
        if (texts.verdict() != Verdict.NO_LEAK) {
            return Optional.empty();
        }
        MeasuredSeries held = texts.series().stream()
                .filter(series -> series.isBytes() && series.trend() != null)
                .findFirst()
                .orElse(null);
        Resource resource = held == null ? Resource.DEVICE : CaseTexts.resource(held);
        String sentence = held == null ? "memory does not grow" : held.name() + " " + held.reason();
        return Optional.of(facts.conclusion(
                Conclusion.Kind.STEADY,
                resource,
                sentence,
                held == null ? List.of() : List.of(evidence(held)),
                Set.of(),
                next.course(held)));
    }

    private Conclusion usedByHost(HostUser user) {
        facts.of("process", user.process());
        facts.printed(Resource.HOST);
        facts.read(Resource.HOST);
        return facts.conclusion(
                Moment.verdictNow(texts),
                Resource.HOST,
                user.sentence(),
                List.of(evidence(user.process())),
                EnumSet.of(Unknown.GROWTH),
                next.hostUser(user));
    }

    /** Files that fill what is not free of the host, so that most of it is there for whoever asks. */
    private Optional<Conclusion> cachedByHost() {
        return texts.part("page_cache")
                .filter(cache -> cache.clue().bytes() >= LEAST_CACHED)
                .filter(cache -> cache.clue().bytes() >= MUCH_CACHED * texts.most(Clue.Kind.TOTAL, Resource.HOST))
                .map(cache -> {
                    facts.of("cached", cache);
                    facts.printed(Resource.HOST);
                    facts.read(Resource.HOST);
                    return facts.conclusion(
                            Conclusion.Kind.CACHE_NOT_LEAK,
                            Resource.HOST,
                            ByteSize.format(cache.clue().bytes())
                                    + " of the host's memory are the page cache, free for the next request",
                            List.of(cache.evidence()),
                            EnumSet.of(Unknown.GROWTH),
                            next.step("available"));
                });
    }

    static Evidence evidence(MeasuredSeries series) {
        return new Evidence(series.input(), 0, series.name() + ": " + series.values());
    }
}
