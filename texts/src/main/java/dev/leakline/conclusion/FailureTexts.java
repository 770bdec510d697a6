package dev.leakline.conclusion;

import dev.leakline.cases.CaseTexts;
import dev.leakline.cases.CaseTexts.Placed;
import dev.leakline.cases.PoolLimit;
import dev.leakline.result.Conclusion;
import dev.leakline.result.Conclusion.Resource;
import dev.leakline.result.Conclusion.Unknown;
import dev.leakline.result.MeasuredSeries;
import dev.leakline.result.OutOfMemoryExplanation;
import dev.leakline.result.OutOfMemoryExplanation.Kind;
import dev.leakline.result.OutOfMemoryMessage;
import dev.leakline.result.OutOfMemoryMessage.Device;
import dev.leakline.source.Clue;
import dev.leakline.text.ByteSize;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Concludes from texts with a message that a request failed, and from its numbers, where nothing in them tells more. */
final class FailureTexts {
    /** The cause of the kernel's lines about a kill, where the limit of a control group was the reason. */
    static final String GROUP = "kernel.cgroup";

    private final CaseTexts texts;
    private final Facts facts;
    private final NextSteps next;
    private final DeviceUsers users;

    FailureTexts(CaseTexts texts, Facts facts, NextSteps next, DeviceUsers users) {
        this.texts = texts;
        this.facts = facts;
        this.next = next;
        this.users = users;
    }

    Conclusion conclude(OutOfMemoryExplanation failure) {
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
        Kind verdict = isInTheWay ? Kind.DEVICE_OOM_OTHER_PROCESSES : kind;
        Resource resource = resource(failure, verdict);
        if (resource == Resource.DEVICE) {
            facts.of(users);
        }
        facts.printed(resource);
        facts.parts(resource);
        if (kind == Kind.STARTUP_REFUSAL) {
            StartUp.of(texts).ifPresent(start -> start.addTo(facts));
        }
        facts.read(resource);
        Sum.addAll(kind == Kind.STARTUP_REFUSAL ? "refusal" : hasPool() ? "pool" : "failure", facts);
        Optional<HostUser> holder = kind == Kind.HOST_OOM ? holder() : Optional.empty();
        holder.ifPresent(facts::of);
        if (verdict == Kind.DEVICE_OOM && !failure.sizes().containsKey("free")) {
            facts.ofTheFailure();
        }
        Optional<Placed> shared = isOf(failure, GROUP) ? sharedInGroup() : Optional.empty();
        shared.ifPresent(size -> facts.of("shared", size));
        String slice = resource == Resource.DEVICE ? slice() : "";
        String beside = isInTheWay
                ? "; processes that hold " + ByteSize.format(users.bytes()) + " are in the way"
                : holder.map(user -> "; " + user.named()).orElse("");
        return facts.conclusion(
                Conclusion.Kind.of(verdict),
                resource,
                failure.title() + beside + shared.map(this::shared).orElse("") + slice,
                List.of(texts.evidence(failure)),
                open(verdict, resource, failure),
                next.step(shared.isPresent(), "shared-in-group")
                        .step(!slice.isEmpty(), "mig")
                        .holder(holder)
                        .libraries(verdict, facts)
                        .ownTensors(failure, facts)
                        .message(failure, verdict, users));
    }

    /** Returns whether an allocator prints what it may take and what it has taken. */
    private boolean hasPool() {
        return texts.clue(Clue.Kind.LIMIT)
                .filter(limit -> texts.clue(Clue.Kind.USED)
                        .filter(used -> used.clue().owner().equals(limit.clue().owner()))
                        .isPresent())
                .isPresent();
    }

    /** Shared memory that is most of what a control group holds, whose limit was reached. */
    private Optional<Placed> sharedInGroup() {
        return texts.part("shared")
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
                .max()
                .orElse(0);
        return !texts.has("MIG") || device == 0 || device >= card
                ? ""
                : "; the device is a MIG slice of " + ByteSize.format(device) + ", of a card of "
                        + ByteSize.format(card) + ": what is free in other slices is not for it";
    }

    /** A limit that somebody set is the reason, and not the size of the device. */
    private Conclusion limited(OutOfMemoryExplanation failure, PoolLimit pool) {
        facts.of("limit", pool.limit());
        facts.of("allocated", pool.used());
        facts.printed(Resource.DEVICE);
        return facts.conclusion(
                Conclusion.Kind.DEVICE_OOM_LIMIT,
                Resource.DEVICE,
                pool.sentence(facts.bytes("requested")),
                List.of(texts.evidence(failure), pool.limit().evidence()),
                open(Kind.DEVICE_OOM_LIMIT, Resource.DEVICE, failure),
                next.step("pool-limit"));
    }

    /** Returns whether no size that both messages print differs. */
    private static boolean isSameFailure(OutOfMemoryExplanation one, OutOfMemoryExplanation other) {
        return one.sizes().entrySet().stream()
                .allMatch(size -> !other.sizes().containsKey(size.getKey())
                        || other.sizes().get(size.getKey()).mayEqual(size.getValue()));
    }

    /** The process that holds most of the host's memory; empty where that is the one that was killed. */
    private Optional<HostUser> holder() {
        return HostUser.of(texts, facts.bytes("total"))
                .filter(user -> texts.messages().stream().noneMatch(user::isKilledBy))
                .filter(user -> !user.mayBe(facts.bytes("process")));
    }

    private Set<Unknown> open(Kind kind, @Nullable Resource resource, OutOfMemoryExplanation failure) {
        Set<Unknown> unknown = EnumSet.noneOf(Unknown.class);
        boolean isShortage = kind.isDeviceOom() || kind == Kind.LIBRARY_WORKSPACE || kind == Kind.HOST_OOM;
        if (isShortage && !texts.has(Clue.Kind.TRACEBACK)) {
            unknown.add(Unknown.LINE);
        }
        if (isShortage && texts.series().stream().noneMatch(FailureTexts::tellsOfGrowth)) {
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

    /** Returns whether a figure was judged, or has enough readings to see how it goes on. */
    private static boolean tellsOfGrowth(MeasuredSeries series) {
        return series.isBytes() && (series.trend() != null || series.points() >= Rise.FEWEST);
    }

    /** The memory that a message is about; its verdict may differ from its kind. */
    static Resource resource(OutOfMemoryExplanation message, Kind verdict) {
        return message.found().message().device() == Device.HOST ? Resource.HOST : resource(verdict);
    }

    private static Resource resource(Kind kind) {
        return switch (kind) {
            case HOST_OOM, HOST_LIMIT, PINNED_MEMORY -> Resource.HOST;
            case SHARED_MEMORY -> Resource.SHARED_MEMORY;
            default -> Resource.DEVICE;
        };
    }

    /** Returns whether the cause that is known of a message is this one. */
    static boolean isOf(OutOfMemoryExplanation one, String cause) {
        OutOfMemoryMessage.Cause known = one.found().message().cause();
        return known != null && known.advice().equals(cause);
    }
}
