package dev.leakline.conclusion;

import dev.leakline.cases.CaseTexts;
import dev.leakline.cases.CaseTexts.Placed;
import dev.leakline.cases.PoolLimit;
import dev.leakline.cases.Quotations;
import dev.leakline.result.AnalysisResult.Verdict;
import dev.leakline.result.Conclusion;
import dev.leakline.result.Conclusion.Evidence;
import dev.leakline.result.Conclusion.Resource;
import dev.leakline.result.Conclusion.Unknown;
import dev.leakline.result.MeasuredSeries;
import dev.leakline.result.OutOfMemoryExplanation;
import dev.leakline.result.OutOfMemoryExplanation.Kind;
import dev.leakline.result.OutOfMemoryMessage;
import dev.leakline.result.OutOfMemoryMessage.Device;
import dev.leakline.source.Clue;
import dev.leakline.text.ByteSize;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Draws one conclusion from the texts of a case. What was measured leads: growth that figures show, then a message with its numbers, then what people
 * say. What none of them tells is said to be unknown.
 */
public final class Concluder {
    /** The driver rounds a request up to its granularity, and takes some for itself. */
    private static final long LEAST_UNEXPLAINED = 64 * ByteSize.MIB;
    /** Kinds that growth explains: memory ran out because it grew. */
    private static final Set<Kind> SHORTAGES =
            EnumSet.of(Kind.DEVICE_OOM, Kind.DEVICE_OOM_FRAGMENTATION, Kind.HOST_OOM, Kind.DEVICE_OOM_OTHER_PROCESSES);

    private static final Set<Kind> ELSEWHERE = EnumSet.of(Kind.DEVICE_OOM_OTHER_PROCESSES, Kind.STARTUP_REFUSAL);

    /** What causes begin with that TensorRT's builder names. */
    private static final String TENSORRT = "trt.";
    /** The cause of messages that say only that a process was killed. */
    private static final String KILLED = "host.killed";
    /** The cause of the kernel's first lines about a kill, whatever the reason. */
    private static final String MACHINE = "kernel.machine";
    /** The cause of its later lines, where the limit of a control group was the reason. */
    private static final String GROUP = "kernel.cgroup";

    private final CaseTexts texts;
    private final Facts facts;
    private final NextSteps next;
    private final Optional<OutOfMemoryExplanation> message;
    private final DeviceUsers users;

    private Concluder(CaseTexts texts) {
        this.texts = texts;
        this.facts = new Facts(texts);
        this.next = new NextSteps(texts);
        List<OutOfMemoryExplanation> failures = texts.messages().stream()
                .filter(one -> one.kind() != Kind.RECOVERED && !isSurvived(one) && !isKilledByOther(one))
                .filter(one -> !Recovery.wentOn(texts, one))
                .toList();
        this.message = failures.stream()
                .filter(one -> isOf(one, GROUP))
                .findFirst()
                .filter(_ -> isOf(failures.getFirst(), MACHINE))
                .or(() -> failures.stream().findFirst());
        this.users = DeviceUsers.of(texts, message);
    }

    /** Whether TensorRT built its engine although a tactic got no memory: it takes another. */
    private boolean isSurvived(OutOfMemoryExplanation one) {
        OutOfMemoryMessage.Cause cause = one.found().message().cause();
        return cause != null && cause.advice().startsWith(TENSORRT) && texts.has(Clue.Kind.ENGINE_BUILT);
    }

    private static boolean isOf(OutOfMemoryExplanation one, String cause) {
        OutOfMemoryMessage.Cause known = one.found().message().cause();
        return known != null && known.advice().equals(cause);
    }

    /** Whether a message says no more than that a process was killed, and the text tells another reason than memory. */
    private boolean isKilledByOther(OutOfMemoryExplanation one) {
        return isOf(one, KILLED)
                && (texts.has(Clue.Kind.ENDED_BY_ERROR)
                        || OtherFault.ofKill(texts).isPresent());
    }

    /** The conclusion from texts. */
    public static Conclusion of(CaseTexts texts) {
        return new Concluder(Quotations.without(texts)).conclude();
    }

    /** Whether messages of a kind say that somebody else holds the memory. */
    static boolean isHeldElsewhere(Kind kind) {
        return ELSEWHERE.contains(kind);
    }

    private Conclusion conclude() {
        Optional<Resolved> resolved = Resolved.of(texts);
        if (resolved.isPresent()) {
            return resolved(resolved.get());
        }
        Optional<Rise> growth = Rise.of(texts);
        boolean holds = texts.verdict() == Verdict.NO_LEAK;
        if (growth.isPresent() && leads(growth.get()) && (growth.get().isMeasured() || !holds)) {
            return grows(growth.get());
        }
        return message.isPresent() ? explained(message.get()) : new QuietTexts(texts, facts, next, users).conclude();
    }

    private Conclusion resolved(Resolved resolved) {
        facts.said(resolved.resource());
        return facts.conclusion(
                Conclusion.STEADY,
                resolved.resource(),
                resolved.sentence(),
                resolved.evidence(),
                Set.of(),
                next.step(KnownStep.SOLVED));
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
        facts.last(growth);
        facts.said(growth.resource());
        List<Evidence> evidence = new ArrayList<>(List.of(growth.evidence()));
        message.ifPresent(one -> evidence.add(evidence(one)));
        Optional<Placed> killed = growth.resource() == Resource.HOST ? texts.clue(Clue.Kind.KILLED) : Optional.empty();
        killed.map(Placed::evidence).ifPresent(evidence::add);
        texts.clue(Clue.Kind.KEEPS_RESULTS)
                .map(Placed::evidence)
                .filter(code -> growth.resource() != Resource.HOST && !evidence.contains(code))
                .ifPresent(evidence::add);
        Set<Unknown> unknown = EnumSet.noneOf(Unknown.class);
        if (!texts.has(Clue.Kind.KEEPS_RESULTS)) {
            unknown.addAll(List.of(Unknown.LINE, Unknown.HOLDER));
        }
        String odd = texts.clue(Clue.Kind.PEERS_HOLD_MORE)
                .map(peers -> "; " + peers.clue().text())
                .orElse("");
        return facts.conclusion(
                Conclusion.GROWS,
                growth.resource(),
                growth.sentence() + odd + steadyBeside(growth) + (killed.isPresent() ? "; the process was killed" : ""),
                evidence,
                unknown,
                next.ofProgram(message).growth(growth));
    }

    /** That the device's memory does not grow, where the host's does and a figure of the device is there. */
    private String steadyBeside(Rise growth) {
        return growth.resource() != Resource.HOST
                ? ""
                : texts.series().stream()
                        .filter(series -> !CaseTexts.isOfHost(series) && Rise.LIVE.contains(series.quantity()))
                        .filter(Rise::isLevel)
                        .findFirst()
                        .map(series -> "; GPU memory stays at "
                                + ByteSize.format(series.last().value()))
                        .orElse("");
    }

    private Conclusion explained(OutOfMemoryExplanation failure) {
        Kind kind = failure.kind();
        facts.of(failure);
        texts.messages().stream()
                .filter(other -> other.log() == failure.log() && other.kind() != Kind.RECOVERED)
                .filter(other -> resource(other, other.kind()) == resource(failure, kind))
                .filter(other -> isSameFailure(failure, other))
                .forEach(facts::of);
        Optional<PoolLimit> pool =
                kind == Kind.DEVICE_OOM ? PoolLimit.of(texts, facts.bytes("requested")) : Optional.empty();
        if (pool.isPresent()) {
            return limited(failure, pool.get());
        }
        boolean isInTheWay = kind == Kind.DEVICE_OOM && users.stoodInTheWay(facts.bytes("requested"));
        Kind verdict = isInTheWay
                ? Kind.DEVICE_OOM_OTHER_PROCESSES
                : isLargerThanDevice(failure) ? Kind.DEVICE_OOM_REQUEST_TOO_BIG : kind;
        Resource resource = resource(failure, verdict);
        if (resource == Resource.DEVICE) {
            facts.of(users);
        }
        if (verdict == Kind.DEVICE_OOM_REQUEST_TOO_BIG) {
            texts.largest(Clue.Kind.CARD).ifPresent(facts::ofDevice);
        }
        facts.said(resource);
        facts.read(resource);
        Optional<HostUser> holder = kind == Kind.HOST_OOM ? holder() : Optional.empty();
        holder.ifPresent(facts::of);
        if (verdict == Kind.DEVICE_OOM && !failure.sizes().containsKey("free") && isSaidToBeFree()) {
            return saidToBeFree(failure);
        }
        Optional<Placed> shared = isOf(failure, GROUP) ? sharedInGroup() : Optional.empty();
        shared.ifPresent(size -> facts.of("shared", size));
        String slice = resource == Resource.DEVICE ? slice() : "";
        String beside = isInTheWay
                ? "; processes that hold " + ByteSize.format(users.bytes()) + " are in the way"
                : verdict == kind
                        ? holder.map(user -> "; " + user.named()).orElse("")
                        : ", more than the whole device has (" + ByteSize.format(texts.most(Clue.Kind.CARD)) + ")";
        return facts.conclusion(
                word(verdict),
                resource,
                failure.title() + beside + shared.map(this::shared).orElse("") + slice,
                verdict == Kind.DEVICE_OOM_REQUEST_TOO_BIG ? withFrame(failure) : List.of(evidence(failure)),
                open(verdict, resource, failure),
                next.step(shared.map(_ -> KnownStep.SHARED_IN_GROUP))
                        .step(slice.isEmpty() ? Optional.empty() : Optional.of(KnownStep.MIG))
                        .holder(holder)
                        .tooBig(verdict, kind)
                        .libraries(verdict, facts)
                        .ownTensors(failure, facts)
                        .message(failure, verdict, users));
    }

    /** Shared memory that is most of what a control group holds, whose limit was reached. */
    private Optional<Placed> sharedInGroup() {
        return texts.largest(Clue.Kind.GROUP_SHARED)
                .filter(shared -> 2 * shared.clue().bytes() >= Math.max(facts.bytes("used"), facts.bytes("limit")))
                .filter(_ -> facts.bytes("used") + facts.bytes("limit") > 0);
    }

    private String shared(Placed size) {
        long whole = Math.max(facts.bytes("used"), facts.bytes("limit"));
        return "; " + ByteSize.format(size.clue().bytes()) + " of the " + ByteSize.format(whole)
                + " in it are shared memory (/dev/shm, tmpfs)";
    }

    /** That the device is a slice of a card that the text names too; empty where it is none. */
    private String slice() {
        long device = facts.bytes("total");
        long card = texts.series().stream()
                .mapToLong(MeasuredSeries::deviceBytes)
                .reduce(texts.most(Clue.Kind.CARD), Math::max);
        return !texts.has(Clue.Kind.MIG) || device == 0 || device >= card
                ? ""
                : "; the device is a MIG slice of " + ByteSize.format(device) + ", of a card of "
                        + ByteSize.format(card) + ": what is free in other slices is not for it";
    }

    /** A limit that somebody set is the reason, and not the size of the device. */
    private Conclusion limited(OutOfMemoryExplanation failure, PoolLimit pool) {
        facts.of("limit", pool.limit());
        facts.of("allocated", pool.used());
        facts.said(Resource.DEVICE);
        return facts.conclusion(
                word(Kind.DEVICE_OOM_LIMIT),
                Resource.DEVICE,
                pool.sentence(facts.bytes("requested")),
                List.of(evidence(failure), pool.limit().evidence()),
                open(Kind.DEVICE_OOM_LIMIT, Resource.DEVICE, failure),
                next.step(KnownStep.POOL_LIMIT));
    }

    /** Whether no size that both messages print differs. */
    private static boolean isSameFailure(OutOfMemoryExplanation one, OutOfMemoryExplanation other) {
        return one.sizes().entrySet().stream()
                .allMatch(size -> !other.sizes().containsKey(size.getKey())
                        || other.sizes().get(size.getKey()).mayEqual(size.getValue()));
    }

    /** Who holds most of the host beside the process that was killed; empty where that is the one itself. */
    private Optional<HostUser> holder() {
        return HostUser.of(texts, facts.bytes("total")).filter(user -> !user.mayBe(facts.bytes("process")));
    }

    /** Whether more was requested at once than any device that the text names has, where the message does not say how much that is. */
    private boolean isLargerThanDevice(OutOfMemoryExplanation failure) {
        long device = texts.most(Clue.Kind.CARD);
        return failure.kind() == Kind.DEVICE_OOM
                && !failure.sizes().containsKey("total")
                && device > 0
                && facts.bytes("requested") > device;
    }

    /** Whether somebody says in the sentence of the message that more was free than was requested. */
    private boolean isSaidToBeFree() {
        return facts.bytes("requested") > 0
                && texts.clues(Clue.Kind.FREE)
                        .filter(Facts::repeatsMessage)
                        .map(Placed::clue)
                        .anyMatch(clue -> clue.bytes() >= facts.bytes("requested") + LEAST_UNEXPLAINED);
    }

    private Conclusion saidToBeFree(OutOfMemoryExplanation failure) {
        return facts.conclusion(
                word(Kind.DEVICE_OOM_BUT_FREE),
                Resource.DEVICE,
                ByteSize.format(facts.bytes("requested")) + " were requested although "
                        + ByteSize.format(facts.bytes("free"))
                        + " are free, by what the text says: the sizes do not explain it",
                List.of(evidence(failure)),
                open(Kind.DEVICE_OOM, Resource.DEVICE, failure),
                next.step(KnownStep.BUT_FREE));
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
        if (isShortage && texts.series().stream().noneMatch(Concluder::tellsOfGrowth)) {
            unknown.add(Unknown.GROWTH);
        }
        if (kind == Kind.DEVICE_OOM_OTHER_PROCESSES && users.processes().isEmpty() && !areNamed(failure)) {
            unknown.add(Unknown.WHO_ELSE);
        }
        if (resource == Resource.HOST
                && kind != Kind.STARTUP_REFUSAL
                && !failure.sizes().containsKey("process")) {
            unknown.add(Unknown.HOLDER);
        }
        return unknown;
    }

    /** Whether a figure was judged, or has enough readings to see how it goes on. */
    private static boolean tellsOfGrowth(MeasuredSeries series) {
        return series.isBytes() && (series.trend() != null || series.points() >= Rise.FEWEST);
    }

    /** Whether a list of processes in the text names those that the message gives by number. */
    private boolean areNamed(OutOfMemoryExplanation failure) {
        List<Long> strangers = failure.found().message().figures().stream()
                .filter(figure -> figure.meaning() == OutOfMemoryMessage.Meaning.OTHER_PROCESS)
                .map(OutOfMemoryMessage.Figure::pid)
                .toList();
        return !strangers.isEmpty()
                && strangers.stream()
                        .allMatch(pid -> texts.clues(Clue.Kind.PROCESS_NAMED)
                                .anyMatch(row -> row.clue().text().startsWith(pid + " ")));
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

    /** A message with the user's own line that requested so much, where the text has its traceback. */
    private List<Evidence> withFrame(OutOfMemoryExplanation failure) {
        return Stream.concat(
                        Stream.of(evidence(failure)),
                        texts
                                .clues(Clue.Kind.TRACEBACK)
                                .filter(frame -> frame.input() == texts.input(failure))
                                .reduce((_, last) -> last)
                                .map(Placed::evidence)
                                .stream())
                .toList();
    }

    private Evidence evidence(OutOfMemoryExplanation failure) {
        long line = failure.places().isEmpty() ? 0 : failure.places().getFirst().line();
        return new Evidence(texts.input(failure), line, failure.text());
    }
}
