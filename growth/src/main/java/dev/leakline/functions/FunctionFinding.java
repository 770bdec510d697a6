package dev.leakline.functions;

import dev.leakline.finding.Doubts;
import dev.leakline.finding.FindingBuilder;
import dev.leakline.finding.GrowthSeverity;
import dev.leakline.functions.CallTimeline.Part;
import dev.leakline.functions.LeakFinder.Leak;
import dev.leakline.primitive.Digest;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Kind;
import dev.leakline.result.Finding.Proof;
import dev.leakline.result.Finding.Severity;
import dev.leakline.result.FunctionReport.RuleSet;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes the finding of a pattern in the calls of functions. */
final class FunctionFinding {
    /** Confidence in a pattern that was seen: it happens, but the program may need it; as in recordings. */
    private static final double SEEN = 0.8;
    /** Rules that call every forward pass a leak are right about as often as not. */
    private static final double CLASSIC = 0.5;

    private final int input;
    private final FoundPattern found;
    private final RuleSet rules;
    private final long deviceBytes;

    /** A pattern that rules found in an input; {@code deviceBytes} is the memory of its device, 0 where nobody said. */
    FunctionFinding(int input, FoundPattern found, RuleSet rules, long deviceBytes) {
        this.input = input;
        this.found = found;
        this.rules = rules;
        this.deviceBytes = deviceBytes;
    }

    /** The finding; null for a pattern of a kind that recordings do not show. */
    @Nullable
    Finding build() {
        Kind kind = kind();
        if (kind == null) {
            return null;
        }
        Leak leak = found.leak();
        Part part = leak == null ? new Part(found.pattern().functions().getFirst(), false) : leak.part();
        FindingBuilder finding = new FindingBuilder(
                        kind, Digest.of(kind + "\n" + part.isBetween() + "\n" + part.function()))
                .severity(severity(leak))
                .confidence(doubts(leak))
                .title(title(kind, part))
                .summary(found.pattern().description() + ".")
                .on(input, Math.max(found.device(), 0))
                .site(part.site())
                .held(found.bytes(), 0)
                .proofs(evidence(leak))
                .advice(Suggestion.advice(found.suggestions(), kind == Kind.LEAK ? found.bytes() : 0));
        return (leak == null ? finding : grown(finding, leak)).build();
    }

    /** A leak's is by its rate, as everywhere; of others the rules say it. */
    private Severity severity(@Nullable Leak leak) {
        return leak == null || rules == RuleSet.GPUMEMPROF
                ? found.pattern().severity()
                : GrowthSeverity.of(
                        leak.perRound(),
                        leak.perSecond(),
                        deviceBytes > 0 ? Math.max(deviceBytes - leak.level(), 1) : 0);
    }

    private @Nullable Kind kind() {
        return switch (found.pattern().kind()) {
            case MEMORY_LEAK -> Kind.LEAK;
            case FRAGMENTATION -> Kind.FRAGMENTATION;
            case MEMORY_SPIKES -> Kind.SPIKE;
            case REPEATED_ALLOCATIONS -> Kind.REPEATED_ALLOCATION;
            case INEFFICIENT_ALLOCATION -> null;
        };
    }

    private static String title(Kind kind, Part part) {
        return switch (kind) {
            case LEAK ->
                part.isBetween()
                        ? "memory grows after calls of " + FunctionNames.quoted(part.function())
                        : FunctionNames.quoted(part.function()) + " keeps memory from call to call";
            case FRAGMENTATION -> "reserved memory is fragmented";
            case SPIKE -> "a few calls allocate far more than the others";
            default -> "memory is allocated and freed again and again";
        };
    }

    private Doubts doubts(@Nullable Leak leak) {
        Doubts doubts = leak == null
                ? new Doubts(1)
                : Doubts.ofGrowth(leak.evidence(), Numbers.counted(leak.rounds(), "round"));
        if (rules == RuleSet.GPUMEMPROF) {
            doubts.leave(CLASSIC, "judged by gpumemprof's rules, which may report a healthy loop as a leak");
        } else if (leak == null) {
            doubts.leave(SEEN, "counters show that it happens, but not whether the program needs it");
        } else {
            doubts.note("a round lasts from one call of " + FunctionNames.quoted(leak.loop()) + " to the next");
            if (leak.isShort()) {
                doubts.note("so few rounds may be just the start, such as loading a model");
            }
            if (leak.giver() != null) {
                doubts.note("counters do not show whose memory a call frees");
            }
        }
        return doubts;
    }

    private FindingBuilder grown(FindingBuilder finding, Leak leak) {
        double all = leak.perRound() / leak.growth().share();
        double room = deviceBytes > 0 ? Math.max(deviceBytes - leak.level(), 0) : Double.NaN;
        double steps = room / all;
        return finding.growth(leak.growth())
                .rates(leak.perRound(), leak.perSecond(), steps, steps * leak.perRound() / leak.perSecond());
    }

    private static List<Proof> evidence(@Nullable Leak leak) {
        List<Proof> evidence = new ArrayList<>();
        if (leak != null) {
            evidence.add(Proof.of(
                    leak.part().name() + " allocated " + ByteSize.format(leak.taken()) + " in the analysed rounds"
                            + (leak.giver() == null
                                    ? ", and no call frees it"
                                    : "; " + leak.giver().name() + " frees most of it, and "
                                            + ByteSize.format(leak.bytes()) + " remain")));
        }
        return evidence;
    }
}
