package dev.leakline.conclusion;

import dev.leakline.conclusion.CaseTexts.Placed;
import dev.leakline.result.AnalysisResult.Verdict;
import dev.leakline.result.Conclusion;
import dev.leakline.result.Conclusion.Evidence;
import dev.leakline.result.Conclusion.Resource;
import dev.leakline.result.Conclusion.Unknown;
import dev.leakline.result.MeasuredSeries;
import dev.leakline.result.OutOfMemoryExplanation.Kind;
import dev.leakline.source.Clue;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Concludes from texts in which no message says that memory ran out and no growth leads: other errors, pools and caches, who holds what, and what
 * comparing tells. The clearest of these speaks.
 */
final class QuietTexts {
    /** A cache of less than a quarter of what is reserved is the ordinary loss of rounding and of what the next step takes. */
    private static final double MUCH_CACHED = 0.25;

    private static final long LEAST_CACHED = ByteSize.GIB;
    /** Above this share of the device the next larger input fails. */
    private static final double ROOMY = 0.9;

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

    Conclusion conclude() {
        boolean mayBeOfMemory = texts.has(Clue.Kind.KILLED) || texts.has(Clue.Kind.SAYS_GROWS);
        Optional<OtherFault> fault = mayBeOfMemory ? Optional.empty() : OtherFault.of(texts);
        if (fault.isPresent()) {
            return notMemory(fault.get());
        }
        Optional<MeasuredSeries> pool = texts.series().stream()
                .filter(series -> series.quantity().equals("pool_share"))
                .findFirst();
        if (pool.isPresent() && texts.series().stream().noneMatch(MeasuredSeries::isBytes)) {
            return pool(pool.get());
        }
        if (texts.has(Clue.Kind.KILLED)) {
            return killed();
        }
        if (texts.verdict() == Verdict.NO_LEAK) {
            return steady();
        }
        Optional<HostUser> user = HostUser.of(texts);
        if (user.isPresent() && !texts.has(Clue.Kind.SAYS_GROWS)) {
            return usedByHost(user.get());
        }
        return isCachedByHost() ? cachedByHost() : ofDevice();
    }

    /** What the figures of a device tell by themselves: pools and caches, pieces, a peak that fits. */
    private Conclusion ofDevice() {
        Optional<Placed> pool = texts.clues(Clue.Kind.KV_POOL).max(Comparator.comparingLong(placed -> placed.clue()
                .bytes()));
        if (pool.isPresent() && !texts.has(Clue.Kind.SAYS_GROWS)) {
            return poolAtStart(pool.get());
        }
        Optional<FreePieces> pieces = FreePieces.of(texts);
        if (pieces.isPresent()) {
            return inPieces(pieces.get());
        }
        boolean asks = texts.has(Clue.Kind.SAYS_GROWS) || texts.has(Clue.Kind.ASKS_LEAK);
        Optional<MeasuredSeries> peak = asks ? Optional.empty() : peak();
        return peak.isPresent() ? fits(peak.get()) : cached();
    }

    private Conclusion poolAtStart(Placed pool) {
        facts.put("pool", pool.clue().bytes(), pool.input(), pool.clue().line(), "");
        facts.said(Resource.DEVICE);
        facts.read(Resource.DEVICE);
        return facts.conclusion(
                Conclusion.STEADY,
                Resource.DEVICE,
                ByteSize.format(pool.clue().bytes())
                        + " are the server's pool for keys and values, allocated at its start on purpose: no leak",
                List.of(pool.evidence()),
                Set.of(),
                next.poolAtStart());
    }

    private Conclusion inPieces(FreePieces pieces) {
        facts.read(Resource.DEVICE);
        return facts.conclusion(
                Conclusion.CACHE_NOT_LEAK,
                Resource.DEVICE,
                pieces.sentence(),
                List.of(evidence(pieces.retries())),
                Set.of(),
                next.inPieces());
    }

    /** The highest peak of a device whose size is known, where it leaves room: the job is through with it. */
    private Optional<MeasuredSeries> peak() {
        return texts.series().stream()
                .filter(series -> series.quantity().startsWith("peak") && series.deviceBytes() > 0)
                .max(Comparator.comparingLong(series -> series.peak().value()))
                .filter(series -> series.peak().value() <= ROOMY * series.deviceBytes());
    }

    private Conclusion fits(MeasuredSeries peak) {
        facts.put("total", peak.deviceBytes(), peak.input(), 0, "all of the device");
        return facts.conclusion(
                Conclusion.STEADY,
                Resource.DEVICE,
                "the peak was " + ByteSize.format(peak.peak().value()) + " of " + ByteSize.format(peak.deviceBytes())
                        + ": it fits, and the text shows no problem of memory",
                List.of(evidence(peak)),
                Set.of(),
                next.fits());
    }

    private Conclusion pool(MeasuredSeries pool) {
        return facts.conclusion(
                Conclusion.STEADY,
                Resource.KV_CACHE,
                "the share of a pool changes that was allocated at start; no memory grows",
                List.of(evidence(pool)),
                Set.of(),
                next.keyValuePool());
    }

    /** A process was killed and nobody says why: nearly always by the host's memory, for which a full host or a limit speak. */
    private Conclusion killed() {
        facts.said(Resource.HOST);
        facts.read(Resource.HOST);
        List<Evidence> evidence = new ArrayList<>();
        texts.clue(Clue.Kind.KILLED).map(Placed::evidence).ifPresent(evidence::add);
        texts.clue(Clue.Kind.FULL).map(Placed::evidence).ifPresent(evidence::add);
        String sentence = texts.has(Clue.Kind.FULL)
                ? "the process was killed while the host's memory was nearly full"
                : "the process was killed without an error, which is what the kernel does when host memory runs out";
        return facts.conclusion(
                Kind.HOST_OOM.name().toLowerCase(Locale.ROOT),
                Resource.HOST,
                sentence,
                evidence,
                EnumSet.of(Unknown.LINE, Unknown.GROWTH, Unknown.HOLDER),
                next.killed());
    }

    /** An error that is none of memory; what would record memory does not help. */
    private Conclusion notMemory(OtherFault fault) {
        return facts.conclusion(
                Conclusion.NOT_MEMORY,
                null,
                fault.sentence(),
                texts.clue(fault.mark()).map(Placed::evidence).stream().toList(),
                Set.of(),
                next.fault(fault));
    }

    private Conclusion steady() {
        MeasuredSeries held = texts.series().stream()
                .filter(series -> series.isBytes() && series.trend() != null)
                .findFirst()
                .orElse(null);
        Resource resource = held != null && CaseTexts.isOfHost(held) ? Resource.HOST : Resource.DEVICE;
        String sentence = held == null ? "memory does not grow" : held.name() + " " + held.reason();
        return facts.conclusion(
                Conclusion.STEADY,
                resource,
                sentence,
                held == null ? List.of() : List.of(evidence(held)),
                Set.of(),
                next.steady(held == null ? Course.FLAT : Course.of(held)));
    }

    /** Whether files fill what is not free of the host, so that most of it is there for whoever asks. */
    private boolean isCachedByHost() {
        long cached = texts.most(Clue.Kind.PAGE_CACHE);
        long total = texts.most(Clue.Kind.TOTAL, Resource.HOST);
        return cached >= MUCH_CACHED * total && cached >= LEAST_CACHED && !texts.has(Clue.Kind.FULL);
    }

    private Conclusion usedByHost(HostUser user) {
        facts.put(
                "process",
                user.process().last().value(),
                user.process().input(),
                0,
                user.process().name());
        facts.said(Resource.HOST);
        facts.read(Resource.HOST);
        return facts.conclusion(
                Conclusion.UNDETERMINED,
                Resource.HOST,
                user.sentence(),
                List.of(evidence(user.process())),
                EnumSet.of(Unknown.GROWTH),
                next.hostUser(user));
    }

    private Conclusion cachedByHost() {
        Optional<Placed> row = texts.clues(Clue.Kind.PAGE_CACHE).max(Comparator.comparingLong(placed -> placed.clue()
                .bytes()));
        long cached = texts.most(Clue.Kind.PAGE_CACHE);
        row.ifPresent(placed -> facts.put(
                "cached",
                cached,
                placed.input(),
                placed.clue().line(),
                placed.clue().text()));
        facts.said(Resource.HOST);
        facts.read(Resource.HOST);
        return facts.conclusion(
                Conclusion.CACHE_NOT_LEAK,
                Resource.HOST,
                ByteSize.format(cached) + " of the host's memory are the page cache, free for the next request",
                row.map(Placed::evidence).stream().toList(),
                EnumSet.of(Unknown.GROWTH),
                next.pageCache());
    }

    private Conclusion cached() {
        facts.said(Resource.DEVICE);
        facts.read(Resource.DEVICE);
        long cached = facts.bytes("cached");
        if (cached < LEAST_CACHED || cached < MUCH_CACHED * facts.bytes("reserved")) {
            return pooled();
        }
        return facts.conclusion(
                Conclusion.CACHE_NOT_LEAK,
                Resource.DEVICE,
                ByteSize.format(cached) + " of the " + ByteSize.format(facts.bytes("reserved")) + " that "
                        + next.library() + " has reserved are its cache, free for its next request",
                texts.clue(Clue.Kind.RESERVED).map(Placed::evidence).stream().toList(),
                EnumSet.of(Unknown.GROWTH),
                next.cache());
    }

    /** A library's pool, of which nobody says how large it is: what the process holds is far more than what the library gave out. */
    private Conclusion pooled() {
        long held = facts.bytes("process") > 0 ? facts.bytes("process") : facts.bytes("used");
        long given = facts.bytes("allocated");
        boolean isOwn = next.isPooled() && users.processes().size() <= 1 && facts.bytes("reserved") == 0;
        if (!isOwn || given == 0 || held - given < LEAST_CACHED || held - given < MUCH_CACHED * held) {
            return undetermined();
        }
        return facts.conclusion(
                Conclusion.CACHE_NOT_LEAK,
                Resource.DEVICE,
                ByteSize.format(given) + " are in use of the " + ByteSize.format(held)
                        + " that are held: the rest is kept by " + next.library() + " for its next request",
                texts.clue(Clue.Kind.ALLOCATED).map(Placed::evidence).stream().toList(),
                EnumSet.of(Unknown.GROWTH),
                next.cache());
    }

    private Conclusion undetermined() {
        Occupants occupants = new Occupants(texts);
        List<MeasuredSeries> contexts = occupants.contexts();
        if (!contexts.isEmpty()) {
            return ofDevice(
                    Occupants.sentence(contexts), contexts.getFirst(), Occupants.bytes(contexts), next.contexts());
        }
        Optional<MeasuredSeries> largest = texts.has(Clue.Kind.SAYS_GROWS) ? Optional.empty() : occupants.largest();
        if (largest.isPresent()) {
            return largest(largest.get());
        }
        Optional<MeasuredSeries> unlisted = occupants.unlisted();
        return unlisted.isPresent() ? unlisted(unlisted.get()) : open();
    }

    /** What holds memory of a device where one would not look for it; whether it grows, one look does not tell. */
    private Conclusion ofDevice(String sentence, MeasuredSeries seen, long bytes, NextSteps steps) {
        facts.put("held_by_others", bytes, seen.input(), 0, seen.name());
        return facts.conclusion(
                Conclusion.UNDETERMINED,
                Resource.DEVICE,
                sentence,
                List.of(evidence(seen)),
                EnumSet.of(Unknown.GROWTH),
                steps);
    }

    private Conclusion largest(MeasuredSeries process) {
        return facts.conclusion(
                Conclusion.UNDETERMINED,
                Resource.DEVICE,
                ByteSize.format(process.last().value()) + " of the " + ByteSize.format(facts.bytes("used"))
                        + " in use are " + Occupants.named(process),
                List.of(evidence(process)),
                EnumSet.of(Unknown.GROWTH),
                next.stopping(process));
    }

    private Conclusion unlisted(MeasuredSeries used) {
        long bytes = used.last().value();
        return ofDevice(
                ByteSize.format(bytes) + " of the device are in use, and no process is listed",
                used,
                bytes,
                next.unlisted());
    }

    private Conclusion open() {
        Resource resource = texts.series().stream().anyMatch(MeasuredSeries::isBytes)
                ? texts.series().stream().allMatch(CaseTexts::isOfHost) ? Resource.HOST : Resource.DEVICE
                : texts.has(Clue.Kind.ASKS_WHICH) ? null : texts.spokenOf();
        boolean rises = texts.has(Clue.Kind.SAYS_GROWS)
                || texts.series().stream().filter(MeasuredSeries::isBytes).anyMatch(Rise::isNotable);
        if (texts.has(Clue.Kind.SAYS_STEADY) && !rises) {
            return facts.conclusion(
                    Conclusion.STEADY,
                    resource,
                    "memory does not grow, by what the text says",
                    texts.clue(Clue.Kind.SAYS_STEADY).map(Placed::evidence).stream()
                            .toList(),
                    Set.of(),
                    next.steady(Course.FLAT));
        }
        Set<Unknown> unknown = EnumSet.of(Unknown.LINE, Unknown.GROWTH);
        if (resource == null) {
            unknown.add(Unknown.RESOURCE);
        }
        Optional<Told> told = Told.of(texts);
        if (told.isPresent()) {
            return told(told.get());
        }
        int figures = texts.series().size();
        Optional<Placed> bare = texts.clue(Clue.Kind.NO_UNIT);
        String sentence = bare.isPresent()
                ? "the text does not say the unit of " + bare.get().clue().text()
                : figures == 0
                        ? "the text has no message about memory that ran out and no figures of memory"
                        : Numbers.counted(figures, "figure") + " of memory, and too few measurements to judge";
        return facts.conclusion(Conclusion.UNDETERMINED, resource, sentence, List.of(), unknown, next.open(resource));
    }

    private Conclusion told(Told told) {
        facts.put(
                told.fact(),
                told.bytes(),
                told.evidence().input(),
                told.evidence().line(),
                "");
        return facts.conclusion(
                told.verdict(),
                told.resource(),
                told.sentence(),
                List.of(told.evidence()),
                told.unknown(),
                told.steps());
    }

    private static Evidence evidence(MeasuredSeries series) {
        return new Evidence(series.input(), 0, series.name() + ": " + series.values());
    }
}
