package dev.leakline.finding;

import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Advice;
import dev.leakline.result.Finding.Kind;
import dev.leakline.result.Finding.Proof;
import dev.leakline.result.Finding.Severity;
import dev.leakline.result.Finding.Told;
import dev.leakline.result.Frame;
import dev.leakline.result.Growth;
import dev.leakline.result.Site;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Builds a finding; fields that are not set stay empty. The components of {@link Finding} say what each means. */
public final class FindingBuilder {
    private static final Site NOWHERE = new Site(Site.Kind.NO_STACK, new Frame("", 0, ""));

    private final String id;
    private final Kind kind;
    private Severity severity = Severity.INFO;
    private double confidence;
    private List<String> confidenceReasons = List.of();
    private String summary = "";
    private int input;
    private int device;
    private Site site = NOWHERE;
    private List<Frame> stack = List.of();
    private long bytes;
    private int blocks;
    private long bytesAtFailure;
    private @Nullable Growth growth;
    private double bytesPerStep = Double.NaN;
    private double bytesPerSecond = Double.NaN;
    private double stepsToOom = Double.NaN;
    private double secondsToOom = Double.NaN;
    private Told told = new Told("", null, null);
    private List<Proof> proofs = List.of();
    private List<Advice> advice = List.of();

    /** A finding of a kind; {@code id} is its {@link Fingerprint}. */
    public FindingBuilder(Kind kind, String id) {
        this.kind = kind;
        this.id = id;
    }

    public FindingBuilder severity(Severity value) {
        severity = value;
        return this;
    }

    /** How sure it is, from 0 to 1, and what that rests on. */
    public FindingBuilder confidence(double value, List<String> reasons) {
        confidence = value;
        confidenceReasons = List.copyOf(reasons);
        return this;
    }

    public FindingBuilder confidence(Doubts doubts) {
        return confidence(doubts.value(), doubts.reasons());
    }

    public FindingBuilder title(String text) {
        told = new Told(text, null, null);
        return this;
    }

    public FindingBuilder summary(String text) {
        summary = text;
        return this;
    }

    /** The input and the device that it was found on. */
    public FindingBuilder on(int inputIndex, int deviceOrdinal) {
        input = inputIndex;
        device = deviceOrdinal;
        return this;
    }

    public FindingBuilder site(Site value) {
        site = value;
        return this;
    }

    /** The calls that led to the site, innermost first. */
    public FindingBuilder stack(List<Frame> frames) {
        stack = List.copyOf(frames);
        return this;
    }

    /** The most that was held because of it at any time, and in how many allocations. */
    public FindingBuilder held(long heldBytes, int heldBlocks) {
        bytes = heldBytes;
        blocks = heldBlocks;
        return this;
    }

    /** How much of it was held when the last request of the device failed. */
    public FindingBuilder atFailure(long value) {
        bytesAtFailure = value;
        return this;
    }

    public FindingBuilder growth(@Nullable Growth value) {
        growth = value;
        return this;
    }

    /** How fast it grows, per step and per second, and steps and seconds until the device is full; NaN for what nobody knows. */
    public FindingBuilder rates(double perStep, double perSecond, double steps, double seconds) {
        bytesPerStep = perStep;
        bytesPerSecond = perSecond;
        stepsToOom = steps;
        secondsToOom = seconds;
        return this;
    }

    /** The known cause, with the title that it gives to the finding. */
    public FindingBuilder cause(Told value) {
        told = value;
        return this;
    }

    public FindingBuilder proofs(List<Proof> value) {
        proofs = List.copyOf(value);
        return this;
    }

    public FindingBuilder advice(List<Advice> value) {
        advice = List.copyOf(value);
        return this;
    }

    public Finding build() {
        return new Finding(
                id,
                kind,
                severity,
                confidence,
                confidenceReasons,
                told.title(),
                summary,
                told.cause(),
                told.explanation(),
                input,
                List.of(input),
                List.of(),
                device,
                site,
                stack,
                null,
                bytes,
                blocks,
                bytesAtFailure,
                bytesPerStep,
                bytesPerSecond,
                stepsToOom,
                secondsToOom,
                growth,
                proofs,
                List.of(),
                advice,
                null);
    }
}
