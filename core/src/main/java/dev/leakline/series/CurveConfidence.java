package dev.leakline.series;

import dev.leakline.finding.Doubts;
import dev.leakline.result.Finding.Kind;
import dev.leakline.result.MeasuredSeries.Axis;
import dev.leakline.text.Numbers;

/** Computes the confidence, from 0 to 1, that the growth of a figure is what its finding says: a product of what each doubt leaves. */
final class CurveConfidence {
    /** What the allocator counted happened; which job of several wrote the file is all that can be wrong. */
    static final double COUNTED = 0.99;
    /** Surer than this nobody should be by figures alone: a recording shows blocks that stay, a figure only their sum. */
    private static final double SUREST = 0.95;
    /** A peak that nobody resets rises with the largest step, too. */
    private static final double PEAK = 0.8;
    /** What the allocator has may be cache; what a process has may be a library's; what a device has may be anybody's. */
    private static final double ALLOCATOR = 0.8;

    private static final double PROCESS = 0.7;
    private static final double DEVICE = 0.6;
    /** Where neither the time nor the step of a measurement is known, its order need not be that of time. */
    private static final double ORDER = 0.95;
    /** A figure that was looked at so often shows more than one phase of a job. */
    private static final int MANY = 50;

    private static final double FEW = 0.9;

    private final Doubts doubts = new Doubts(SUREST);

    CurveConfidence(JudgedCurve figure, Kind kind) {
        int size = figure.figure().size();
        String how = figure.test().isTrend()
                ? "it rises in both halves of "
                : "its floor rises again and again, to the end of ";
        doubts.leave(size < MANY ? FEW : 1, how + Numbers.counted(size, "measurement"));
        if (Layer.isPeak(figure.subject().quantity())) {
            doubts.leave(PEAK, "a running maximum also rises with the largest step");
        }
        if (kind == Kind.LEAK) {
            weigh(figure.layer());
        }
        if (kind == Kind.RESIDUAL && figure.layer() == Layer.DEVICE) {
            doubts.leave(DEVICE, "the figure covers the whole device, with all its processes");
        }
        if (figure.figure().axis() == Axis.INDEX) {
            doubts.leave(ORDER, "the order of the measurements is known, but not their times");
        }
    }

    private void weigh(Layer layer) {
        switch (layer) {
            case ALLOCATOR -> doubts.leave(ALLOCATOR, "reserved memory also grows with the allocator's cache");
            case PROCESS -> doubts.leave(PROCESS, "a process holds more than tensors");
            case DEVICE -> doubts.leave(DEVICE, "the figure covers the whole device, with all its processes");
            case TENSORS, HOST, NONE -> {}
        }
    }

    /** All doubts together. */
    Doubts doubts() {
        return doubts;
    }
}
