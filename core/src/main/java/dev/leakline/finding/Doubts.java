package dev.leakline.finding;

import java.util.ArrayList;
import java.util.List;

/** A confidence from 0 to 1: a product of what each doubt leaves, with the reasons. */
public final class Doubts {
    private final List<String> reasons = new ArrayList<>();
    private double value;

    /** Surer than {@code surest} nothing is. */
    public Doubts(double surest) {
        this.value = surest;
    }

    /** Leaves a share of what was sure, for a reason; all of it where the reason speaks for it. */
    public void leave(double share, String reason) {
        value *= share;
        reasons.add(reason);
    }

    /** From 0 to 1. */
    public double value() {
        return value;
    }

    /** The reasons for and against it. */
    public List<String> reasons() {
        return reasons;
    }
}
