package dev.leakline.series;

import dev.leakline.columns.MemorySeries.Quantity;
import dev.leakline.result.Agreement;
import dev.leakline.result.DeviceResult;
import dev.leakline.result.MemoryGap;
import dev.leakline.result.MemoryGap.Alignment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the figures of devices and processes that can be laid over those of the allocator. */
final class ResidualFinder {
    private final List<JudgedCurve> all;
    private final List<DeviceResult> devices;
    private final CurveGroups groups;
    private final List<Residual> gaps = new ArrayList<>();
    private final List<MemoryGap> described = new ArrayList<>();
    private final List<Agreement> contradictions = new ArrayList<>();

    ResidualFinder(List<JudgedCurve> all, List<DeviceResult> devices) {
        this.all = all;
        this.devices = devices;
        this.groups = new CurveGroups(all);
        for (JudgedCurve figure : all) {
            boolean isDevice =
                    figure.layer() == Layer.DEVICE && !figure.figure().isTaken();
            if (isDevice || (figure.layer() == Layer.PROCESS && !hasDevice(figure))) {
                find(figure);
            }
        }
    }

    /** The gaps that add up. */
    List<Residual> gaps() {
        return gaps;
    }

    /** The gaps for reports. */
    List<MemoryGap> described() {
        return described;
    }

    /** Figures that cannot be of the same memory. */
    List<Agreement> contradictions() {
        return contradictions;
    }

    private boolean hasDevice(JudgedCurve process) {
        return !groups.within(process, Layer.DEVICE).isEmpty();
    }

    /** A snapshot takes the place of the allocator's figures where it shares a clock with the device's and they do not. */
    private void find(JudgedCurve outer) {
        JudgedCurve inner = only(outer, Layer.ALLOCATOR);
        DeviceResult device = onlyDevice(outer);
        SnapshotCurves snapshot = device == null ? null : new SnapshotCurves(device);
        boolean isTimed = inner != null && isTimed(outer.figure(), inner.figure());
        if (snapshot != null && (inner == null || (!isTimed && isTimed(outer.figure(), snapshot.reserved())))) {
            Curve reserved = snapshot.reserved();
            JudgedCurve judged = outer.with("reserved memory (snapshot)", reserved, new CurveShape(reserved));
            add(outer, judged, snapshot.allocated(), null, MemoryGap.SNAPSHOT);
        } else if (inner != null) {
            find(outer, inner);
        }
    }

    private static boolean isTimed(Curve outer, Curve inner) {
        Overlay overlay = Overlay.of(outer, inner);
        return overlay != null && overlay.alignment() != Alignment.SHAPE;
    }

    /** Where the process was measured as well, its figure is laid over the allocator's, and the device's over that. */
    private void find(JudgedCurve outer, JudgedCurve inner) {
        int index = all.indexOf(inner);
        JudgedCurve process = outer.layer() == Layer.DEVICE ? only(inner, Layer.PROCESS) : null;
        if (process != null
                && CurveSet.isSame(process.subject().device(), outer.subject().device())) {
            add(process, inner, allocated(inner), outer.figure(), index);
        } else {
            add(outer, inner, allocated(inner), null, index);
        }
    }

    private void add(
            JudgedCurve outer, JudgedCurve inner, @Nullable Curve allocated, @Nullable Curve device, int innerIndex) {
        Overlay overlay = Overlay.of(outer.figure(), inner.figure());
        if (overlay == null) {
            return;
        }
        Residual gap = new Residual(outer, inner, allocated, device, overlay);
        if (gap.isContrary()) {
            contradictions.add(new Agreement(
                    false,
                    outer.name() + " is sometimes less than " + inner.name()
                            + ": they are from different devices or processes, or their clocks differ"));
        } else {
            gaps.add(gap);
            described.add(gap.describe(all.indexOf(outer), innerIndex));
        }
    }

    /** The only figure of a layer that can belong to another, of highest values so far none; null where there are several. */
    private @Nullable JudgedCurve only(JudgedCurve figure, Layer layer) {
        List<JudgedCurve> candidates = groups.within(figure, layer).stream()
                .filter(other -> !Layer.isPeak(other.subject().quantity()))
                .toList();
        return candidates.size() == 1 ? candidates.getFirst() : null;
    }

    /** The memory of tensors, as measured together with a figure of the allocator. */
    private @Nullable Curve allocated(JudgedCurve reserved) {
        return groups.within(reserved, Layer.TENSORS).stream()
                .filter(other -> other.subject().quantity() == Quantity.ALLOCATED
                        && other.figure().input() == reserved.figure().input())
                .map(JudgedCurve::figure)
                .findFirst()
                .orElse(null);
    }

    private @Nullable DeviceResult onlyDevice(JudgedCurve figure) {
        List<DeviceResult> candidates = devices.stream()
                .filter(device -> device.device() >= 0 && !device.timeline().isEmpty())
                .filter(device ->
                        CurveSet.isSame(device.device(), figure.subject().device()))
                .toList();
        return candidates.size() == 1 ? candidates.getFirst() : null;
    }
}
