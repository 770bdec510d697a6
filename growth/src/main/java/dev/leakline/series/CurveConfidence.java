package dev.leakline.series;

import dev.leakline.finding.Doubts;
import dev.leakline.result.Finding.Kind;
import dev.leakline.text.Numbers;

/** Computes the confidence, from 0 to 1, that the growth of a figure is what its finding says: a product of what each doubt leaves. */
final class CurveConfidence {
    /** Confidence in the allocator's counts: all that can be wrong is which of several jobs wrote the file. */
    static final double COUNTED = 0.99;
    /** A peak that nobody resets rises with the largest step, too. */
    private static final double PEAK = 0.8;
    /** Confidence by layer: the allocator's memory may be cache, a process's may be a library's, a device's anybody's. */
    private static final double ALLOCATOR = 0.8;

    private static final double PROCESS = 0.7;
    private static final double DEVICE = 0.6;
    private final Doubts doubts;

    CurveConfidence(JudgedCurve figure, Kind kind) {
        this.doubts = Doubts.ofGrowth(
                figure.test().level().evidence(),
                Numbers.counted(figure.figure().size(), "measurement"));
        if (Layer.isPeak(figure.subject().quantity())) {
            doubts.leave(PEAK, "a running maximum also rises with the largest step");
        }
        if (kind == Kind.LEAK) {
            weigh(figure.layer());
        }
        if (kind == Kind.RESIDUAL && figure.layer() == Layer.DEVICE) {
            doubts.leave(DEVICE, "the figure covers the whole device, with all its processes");
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
