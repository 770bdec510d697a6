package dev.leakline.conclusion;

import dev.leakline.cases.CaseTexts;
import dev.leakline.cases.CaseTexts.Placed;
import dev.leakline.result.Conclusion;
import dev.leakline.result.Conclusion.Evidence;
import dev.leakline.result.Conclusion.Resource;
import dev.leakline.result.Conclusion.Unknown;
import dev.leakline.result.OutOfMemoryExplanation;
import dev.leakline.result.OutOfMemoryExplanation.Kind;
import dev.leakline.text.ByteSize;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Draws one conclusion from the texts of a case. What was measured leads: growth that figures show, then a message with its numbers, then what programs
 * print beside them. What none of them tells is said to be unknown.
 */
public final class Concluder {
    /** Kinds that growth explains: memory ran out because it grew. */
    private static final Set<Kind> SHORTAGES =
            EnumSet.of(Kind.DEVICE_OOM, Kind.DEVICE_OOM_FRAGMENTATION, Kind.HOST_OOM, Kind.DEVICE_OOM_OTHER_PROCESSES);

    private static final Set<Kind> ELSEWHERE = EnumSet.of(Kind.DEVICE_OOM_OTHER_PROCESSES, Kind.STARTUP_REFUSAL);

    /** The cause of messages that say only that a process was killed. */
    private static final String KILLED = "host.killed";
    /** The cause of the kernel's first lines about a kill, whatever the reason. */
    private static final String INVOKED = "kernel.invoked";

    /** The causes that it gives below. */
    private static final List<String> KERNEL = List.of(FailureTexts.GROUP, "kernel.machine");

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
                .filter(one -> one.kind() != Kind.RECOVERED && !isKilledByOther(one) && !isOfFiles(one))
                .filter(one -> !Recovery.wentOn(texts, one))
                .toList();
        this.message = failures.stream()
                .filter(one -> KERNEL.stream().anyMatch(cause -> FailureTexts.isOf(one, cause)))
                .findFirst()
                .filter(_ -> FailureTexts.isOf(failures.getFirst(), INVOKED))
                .or(() -> failures.stream().findFirst());
        this.users = DeviceUsers.of(texts, message);
    }

    /** Returns whether a message says no more than that a process was killed, and the text tells another reason than memory. */
    private boolean isKilledByOther(OutOfMemoryExplanation one) {
        return FailureTexts.isOf(one, KILLED)
                && (texts.has("ENDED_BY_ERROR") || OtherFault.ofKill(texts).isPresent());
    }

    /** Returns whether shared memory could not be opened since no more files can be. */
    private boolean isOfFiles(OutOfMemoryExplanation one) {
        return one.kind() == Kind.SHARED_MEMORY && texts.has("TOO_MANY_FILES");
    }

    /** The conclusion from texts. */
    public static Conclusion of(CaseTexts texts) {
        return new Concluder(texts).conclude();
    }

    /** Returns whether messages of a kind say that somebody else holds the memory. */
    static boolean isHeldElsewhere(Kind kind) {
        return ELSEWHERE.contains(kind);
    }

    private Conclusion conclude() {
        Optional<Rise> growth = Rise.of(texts);
        if (growth.isPresent() && leads(growth.get())) {
            return grows(growth.get());
        }
        return message.map(new FailureTexts(texts, facts, next, users)::conclude)
                .orElseGet(new QuietTexts(texts, facts, next, users)::conclude);
    }

    /** Returns whether growth tells more than the message: it explains the shortage, and is of the same memory. */
    private boolean leads(Rise growth) {
        if (message.isEmpty()) {
            return true;
        }
        Kind kind = message.get().kind();
        Resource resource = FailureTexts.resource(message.get(), kind);
        return SHORTAGES.contains(kind) && (growth.resource() == null || growth.resource() == resource);
    }

    private Conclusion grows(Rise growth) {
        message.ifPresent(facts::of);
        facts.of(growth);
        facts.last(growth);
        facts.printed(growth.resource(), texts.line(growth.series()));
        List<Evidence> evidence = new ArrayList<>(List.of(growth.evidence()));
        message.ifPresent(one -> evidence.add(texts.evidence(one)));
        Optional<Placed> killed = growth.resource() == Resource.HOST ? texts.clue("KILLED") : Optional.empty();
        killed.map(Placed::evidence).ifPresent(evidence::add);
        return facts.conclusion(
                Conclusion.Kind.GROWS,
                growth.resource(),
                growth.sentence() + steadyBeside(growth) + (killed.isPresent() ? "; the process was killed" : ""),
                evidence,
                EnumSet.of(Unknown.LINE, Unknown.HOLDER),
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
}
