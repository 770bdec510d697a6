package dev.leakline.conclusion;

import dev.leakline.conclusion.CaseTexts.Placed;
import dev.leakline.result.AnalysisResult.Verdict;
import dev.leakline.result.Conclusion;
import dev.leakline.result.Conclusion.Evidence;
import dev.leakline.result.Conclusion.Resource;
import dev.leakline.result.Conclusion.Unknown;
import dev.leakline.result.MeasuredSeries;
import dev.leakline.result.OutOfMemoryExplanation;
import dev.leakline.result.OutOfMemoryExplanation.Kind;
import dev.leakline.result.OutOfMemoryMessage.Device;
import dev.leakline.source.Clue;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Draws one conclusion from the texts of a case. What was measured leads: growth that figures show, then a message with its numbers, then what people
 * say. What none of them tells is said to be unknown.
 */
public final class Concluder {
    /** A cache of less than a quarter of what is reserved is the ordinary loss of rounding and of what the next step takes. */
    private static final double MUCH_CACHED = 0.25;

    private static final long LEAST_CACHED = ByteSize.GIB;
    /** The driver rounds a request up to its granularity, and takes some for itself. */
    private static final long LEAST_UNEXPLAINED = 64 * ByteSize.MIB;
    /** Kinds that growth explains: memory ran out because it grew. */
    private static final Set<Kind> SHORTAGES =
            EnumSet.of(Kind.DEVICE_OOM, Kind.DEVICE_OOM_FRAGMENTATION, Kind.HOST_OOM, Kind.DEVICE_OOM_OTHER_PROCESSES);

    private static final Set<Kind> ELSEWHERE = EnumSet.of(Kind.DEVICE_OOM_OTHER_PROCESSES, Kind.STARTUP_REFUSAL);

    private final CaseTexts texts;
    private final Facts facts;
    private final NextSteps next;
    private final Optional<OutOfMemoryExplanation> message;
    private final DeviceUsers users;

    private Concluder(CaseTexts texts) {
        this.texts = texts;
        this.facts = new Facts(texts);
        this.next = new NextSteps(texts);
        this.message = texts.messages().stream()
                .filter(one -> one.kind() != Kind.RECOVERED)
                .findFirst();
        this.users = DeviceUsers.of(texts, message);
    }

    /** The conclusion from texts. */
    public static Conclusion of(CaseTexts texts) {
        return new Concluder(texts).conclude();
    }

    /** Whether messages of a kind say that somebody else holds the memory. */
    static boolean isHeldElsewhere(Kind kind) {
        return ELSEWHERE.contains(kind);
    }

    private Conclusion conclude() {
        Optional<Rise> growth = Rise.of(texts);
        boolean holds = texts.verdict() == Verdict.NO_LEAK;
        if (growth.isPresent() && leads(growth.get()) && (growth.get().isMeasured() || !holds)) {
            return grows(growth.get());
        }
        return message.isPresent() ? explained(message.get()) : withoutMessage(holds);
    }

    /** Whether growth tells more than the message: it explains the shortage, and is of the same memory. */
    private boolean leads(Rise growth) {
        if (message.isEmpty()) {
            return true;
        }
        Kind kind = message.get().kind();
        Resource resource = resource(message.get(), kind);
        return SHORTAGES.contains(kind) && (growth.resource() == null || growth.resource() == resource);
    }

    private Conclusion grows(Rise growth) {
        message.ifPresent(facts::of);
        facts.of(growth);
        facts.said(growth.resource());
        List<Evidence> evidence = new ArrayList<>(List.of(growth.evidence()));
        message.ifPresent(one -> evidence.add(evidence(one)));
        Set<Unknown> unknown = EnumSet.noneOf(Unknown.class);
        if (!texts.has(Clue.Kind.KEEPS_RESULTS)) {
            unknown.addAll(List.of(Unknown.LINE, Unknown.HOLDER));
        }
        String odd = texts.clue(Clue.Kind.PEERS_HOLD_MORE)
                .map(peers -> "; " + peers.clue().text())
                .orElse("");
        return conclusion(
                Conclusion.GROWS, growth.resource(), growth.sentence() + odd, evidence, unknown, next.growth(growth));
    }

    private Conclusion explained(OutOfMemoryExplanation failure) {
        Kind kind = failure.kind();
        facts.of(failure);
        texts.messages().stream()
                .filter(other -> other.log() == failure.log() && other.kind() != Kind.RECOVERED)
                .filter(other -> resource(other, other.kind()) == resource(failure, kind))
                .forEach(facts::of);
        boolean isInTheWay = kind == Kind.DEVICE_OOM && users.stoodInTheWay(facts.bytes("requested"));
        Kind verdict = isInTheWay ? Kind.DEVICE_OOM_OTHER_PROCESSES : kind;
        Resource resource = resource(failure, verdict);
        if (resource == Resource.DEVICE) {
            facts.of(users);
        }
        facts.said(resource);
        facts.read(resource);
        if (verdict == Kind.DEVICE_OOM && !failure.sizes().containsKey("free") && isSaidToBeFree()) {
            return saidToBeFree(failure);
        }
        String sentence = isInTheWay
                ? failure.title() + "; processes that hold " + ByteSize.format(users.bytes()) + " are in the way"
                : failure.title();
        return conclusion(
                word(verdict),
                resource,
                sentence,
                List.of(evidence(failure)),
                open(verdict, resource, failure),
                next.libraries(verdict, facts).message(failure, verdict, users));
    }

    /** Whether somebody says in the sentence of the message that more was free than was requested. */
    private boolean isSaidToBeFree() {
        return facts.bytes("requested") > 0
                && texts.clues(Clue.Kind.FREE)
                        .map(Placed::clue)
                        .filter(clue -> clue.text().toLowerCase(Locale.ROOT).contains("allocat"))
                        .anyMatch(clue -> clue.bytes() >= facts.bytes("requested") + LEAST_UNEXPLAINED);
    }

    private Conclusion saidToBeFree(OutOfMemoryExplanation failure) {
        return conclusion(
                word(Kind.DEVICE_OOM_BUT_FREE),
                Resource.DEVICE,
                ByteSize.format(facts.bytes("requested")) + " were requested although "
                        + ByteSize.format(facts.bytes("free"))
                        + " are free, by what the text says: the sizes do not explain it",
                List.of(evidence(failure)),
                open(Kind.DEVICE_OOM, Resource.DEVICE, failure),
                next.butFree());
    }

    private static String word(Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    private Set<Unknown> open(Kind kind, @Nullable Resource resource, OutOfMemoryExplanation failure) {
        Set<Unknown> unknown = EnumSet.noneOf(Unknown.class);
        boolean isShortage = kind.isDeviceOom() || kind == Kind.LIBRARY_WORKSPACE || kind == Kind.HOST_OOM;
        if (isShortage && !texts.has(Clue.Kind.TRACEBACK)) {
            unknown.add(Unknown.LINE);
        }
        if (isShortage && texts.series().stream().noneMatch(series -> series.trend() != null && series.isBytes())) {
            unknown.add(Unknown.GROWTH);
        }
        if (kind == Kind.DEVICE_OOM_OTHER_PROCESSES && users.processes().isEmpty()) {
            unknown.add(Unknown.WHO_ELSE);
        }
        if (resource == Resource.HOST
                && kind != Kind.STARTUP_REFUSAL
                && !failure.sizes().containsKey("process")) {
            unknown.add(Unknown.HOLDER);
        }
        return unknown;
    }

    private Conclusion withoutMessage(boolean holds) {
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
        if (holds) {
            return steady();
        }
        Optional<HostUser> user = HostUser.of(texts);
        if (user.isPresent() && !texts.has(Clue.Kind.SAYS_GROWS)) {
            return usedByHost(user.get());
        }
        return isCachedByHost() ? cachedByHost() : cached();
    }

    private Conclusion pool(MeasuredSeries pool) {
        return conclusion(
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
        return conclusion(
                word(Kind.HOST_OOM),
                Resource.HOST,
                sentence,
                evidence,
                EnumSet.of(Unknown.LINE, Unknown.GROWTH, Unknown.HOLDER),
                next.killed());
    }

    /** An error that is none of memory; what would record memory does not help. */
    private Conclusion notMemory(OtherFault fault) {
        return conclusion(
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
        return conclusion(
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
        long total = texts.clues(Clue.Kind.TOTAL)
                .filter(placed -> placed.clue().resource() == Resource.HOST)
                .mapToLong(placed -> placed.clue().bytes())
                .max()
                .orElse(0);
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
        return conclusion(
                Conclusion.UNDETERMINED,
                Resource.HOST,
                user.sentence(),
                List.of(evidence(user.process())),
                EnumSet.of(Unknown.GROWTH),
                next.hostUser(user));
    }

    private Conclusion cachedByHost() {
        Optional<Placed> row = texts.clue(Clue.Kind.PAGE_CACHE);
        long cached = texts.most(Clue.Kind.PAGE_CACHE);
        row.ifPresent(placed -> facts.put(
                "cached",
                cached,
                placed.input(),
                placed.clue().line(),
                placed.clue().text()));
        facts.said(Resource.HOST);
        facts.read(Resource.HOST);
        return conclusion(
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
        return conclusion(
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
        boolean isOwn = users.processes().size() <= 1 && facts.bytes("reserved") == 0;
        if (!isOwn || given == 0 || held - given < LEAST_CACHED || held - given < MUCH_CACHED * held) {
            return undetermined();
        }
        return conclusion(
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
        return conclusion(
                Conclusion.UNDETERMINED,
                Resource.DEVICE,
                sentence,
                List.of(evidence(seen)),
                EnumSet.of(Unknown.GROWTH),
                steps);
    }

    private Conclusion largest(MeasuredSeries process) {
        return conclusion(
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
        if (texts.has(Clue.Kind.SAYS_STEADY) && !texts.has(Clue.Kind.SAYS_GROWS)) {
            return conclusion(
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
        return conclusion(Conclusion.UNDETERMINED, resource, sentence, List.of(), unknown, next.open(resource));
    }

    private Conclusion told(Told told) {
        facts.put(
                told.fact(),
                told.bytes(),
                told.evidence().input(),
                told.evidence().line(),
                "");
        return conclusion(
                told.verdict(),
                told.resource(),
                told.sentence(),
                List.of(told.evidence()),
                told.unknown(),
                told.steps());
    }

    /** The memory that a message is about; its verdict may differ from its kind. */
    private static Resource resource(OutOfMemoryExplanation message, Kind verdict) {
        return message.found().message().device() == Device.HOST ? Resource.HOST : resource(verdict);
    }

    private static Resource resource(Kind kind) {
        return switch (kind) {
            case HOST_OOM, HOST_LIMIT, PINNED_MEMORY -> Resource.HOST;
            case SHARED_MEMORY -> Resource.SHARED_MEMORY;
            default -> Resource.DEVICE;
        };
    }

    private Evidence evidence(OutOfMemoryExplanation failure) {
        long line = failure.places().isEmpty() ? 0 : failure.places().getFirst().line();
        return new Evidence(texts.input(failure), line, failure.text());
    }

    private static Evidence evidence(MeasuredSeries series) {
        return new Evidence(series.input(), 0, series.name() + ": " + series.values());
    }

    private Conclusion conclusion(
            String verdict,
            @Nullable Resource resource,
            String sentence,
            List<Evidence> evidence,
            Set<Unknown> unknown,
            NextSteps steps) {
        return new Conclusion(
                verdict,
                resource == null ? Resource.UNKNOWN : resource,
                sentence,
                evidence,
                facts.all(),
                List.copyOf(unknown),
                steps.steps());
    }
}
