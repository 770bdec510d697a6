package dev.leakline.series;

import dev.leakline.result.MeasuredSeries.Change;
import dev.leakline.result.MeasuredSeries.Shape;
import dev.leakline.result.MemoryGap;
import dev.leakline.result.MemoryGap.Alignment;
import dev.leakline.result.MemoryGap.Kind;
import dev.leakline.result.MemoryGap.Part;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The memory that a device's or a process's figure shows beyond the allocator's, split by when it came: before the job, with the job, later
 * in one jump, or growing. The parts add up to what was in use at the peak.
 */
final class Residual {
    /** Moments whose middle counts as the beginning. */
    private static final int FIRST = 5;

    private static final String CONTEXT =
            "present from the start: the CUDA context, kernel code and library workspaces, usually 250 to 900 MiB";
    private static final String LATER = " since: NCCL buffers, workspaces and kernels are loaded on first use";

    private final JudgedCurve outer;
    private final JudgedCurve inner;
    private final @Nullable Curve allocated;
    private final @Nullable Curve device;
    private final Overlay overlay;
    private final JudgedCurve difference;
    private final List<Part> parts = new ArrayList<>();

    /**
     * Computes the difference between two figures.
     *
     * @param outer what the process uses, or the device
     * @param inner what the allocator reserves
     * @param allocated what tensors hold, measured together with that; null where it was not
     * @param device what all processes use, where {@code outer} is only one's; else null
     */
    Residual(JudgedCurve outer, JudgedCurve inner, @Nullable Curve allocated, @Nullable Curve device, Overlay overlay) {
        this.outer = outer;
        this.inner = inner;
        this.allocated = allocated;
        this.device = device;
        this.overlay = overlay;
        Curve figure = overlay.difference();
        String name = outer.name() + " minus " + inner.name();
        this.difference = outer.with(name, figure, new CurveShape(figure));
    }

    /** The difference, judged; never below 0, as its lowest value counts as none. */
    JudgedCurve difference() {
        return difference;
    }

    /** The figure that holds the other. */
    JudgedCurve outer() {
        return outer;
    }

    /** How the two were laid over each other. */
    Alignment alignment() {
        return overlay.alignment();
    }

    /** Returns whether the outer figure says less than the inner one, which cannot be of the same memory. */
    boolean isContrary() {
        return overlay.lowest() < 0;
    }

    /** Returns whether both say the same at all moments: then one was copied from the other, or there is nothing else. */
    private boolean isCopy() {
        return overlay.lowest() == 0
                && difference.figure().value(difference.figure().peak()) == 0;
    }

    /** The sum, for reports that number series as given. */
    MemoryGap describe(int outerIndex, int innerIndex) {
        int moment = overlay.peak();
        double place = overlay.place(moment);
        long others = device == null ? 0 : device.value(Math.max(device.at(place), 0)) - overlay.used(moment);
        split(moment);
        if (others > 0) {
            add(Kind.OTHER_PROCESSES, others, "other processes on the device");
        }
        return new MemoryGap(
                outer.subject().device(),
                outer.subject().source().name().toLowerCase(Locale.ROOT),
                outerIndex,
                innerIndex,
                overlay.alignment(),
                outer.figure().position(place),
                overlay.used(moment) + Math.max(others, 0),
                List.copyOf(parts),
                text(),
                difference.grows() ? difference.test().trend().slope() : 0);
    }

    /** From what is surest to what is least sure; each part takes no more than is left. */
    private void split(int moment) {
        splitInside(moment, overlay.inside(moment));
        double place = overlay.place(moment);
        long before = before();
        long rest = overlay.used(moment) - overlay.inside(moment);
        rest -= part(Kind.BEFORE, before, rest, "in use before the job started: the driver or other processes");
        rest -= part(Kind.CONTEXT, start() - before, rest, CONTEXT);
        rest -= part(Kind.LIBRARIES, later(place), rest, laterText());
        rest -= part(Kind.GROWTH, grown(place), rest, "growth outside of the allocator");
        add(Kind.UNEXPLAINED, rest, "unexplained");
    }

    private long part(Kind kind, long bytes, long rest, String text) {
        long taken = Math.clamp(bytes, 0, Math.max(rest, 0));
        add(kind, taken, text);
        return taken;
    }

    private void splitInside(int moment, long inside) {
        int at = allocated == null ? -1 : allocated.at(overlay.insidePlace(moment));
        if (allocated == null || at < 0 || allocated.value(at) > inside) {
            add(Kind.RESERVED, inside, "reserved by PyTorch's allocator");
        } else {
            add(Kind.ALLOCATED, allocated.value(at), "allocated to tensors");
            add(Kind.CACHED, inside - allocated.value(at), "reserved by PyTorch's allocator but free");
        }
    }

    private void add(Kind kind, long bytes, String text) {
        if (bytes != 0) {
            parts.add(new Part(kind, bytes, text));
        }
    }

    /** The least that the device used before the allocator was first looked at; a process has nothing before it is there. */
    private long before() {
        long least = Long.MAX_VALUE;
        Curve figure = outer.figure();
        for (int i = 0; outer.layer() == Layer.DEVICE && i < figure.size() && figure.place(i) < overlay.place(0); i++) {
            least = Math.min(least, figure.value(i));
        }
        return least == Long.MAX_VALUE ? 0 : Math.min(least, Math.max(start(), 0));
    }

    /** The difference at the beginning. */
    private long start() {
        int count = Math.min(FIRST, overlay.size());
        long[] first = new long[count];
        Arrays.setAll(first, moment -> overlay.used(moment) - overlay.inside(moment));
        Arrays.sort(first);
        return first[count / 2];
    }

    /** The memory that came after the beginning and stays, up to a place. */
    private long later(double place) {
        CurveShape test = difference.test();
        if (test.shape() == Shape.WARM_UP && test.jumps().isEmpty()) {
            return test.from() > place ? 0 : test.lowest() + overlay.lowest() - start();
        }
        return test.jumps().stream()
                .filter(jump -> difference.figure().placeOf(jump.position()) <= place)
                .mapToLong(Change::bytes)
                .filter(bytes -> bytes > 0)
                .sum();
    }

    private String laterText() {
        CurveShape test = difference.test();
        double at = test.jumps().stream()
                .max(Comparator.comparingLong(Change::bytes))
                .map(jump -> difference.figure().placeOf(jump.position()))
                .orElse(test.from());
        return "added by " + CurveWords.place(difference.figure(), at) + " and kept" + LATER;
    }

    private long grown(double place) {
        CurveShape test = difference.test();
        return difference.grows() ? Math.round(test.trend().slope() * (place - test.from())) : 0;
    }

    private String text() {
        return isCopy()
                ? outer.name() + " equals " + inner.name()
                        + ": it was read from the allocator and shows nothing else. Sample nvidia-smi while the job runs"
                : difference.name() + " " + new CurveReason(difference.figure(), difference.test(), difference.course())
                        + aligned();
    }

    private String aligned() {
        return switch (overlay.alignment()) {
            case TIME, POSITION -> "";
            case SHAPE ->
                ". The two have no common clock and were aligned where their difference varies least: growth of the"
                        + " difference stays hidden, and the times of its parts are estimates";
        };
    }
}
