package dev.leakline.compare;

import dev.leakline.result.Comparison;
import dev.leakline.result.Comparison.DeviceChange;
import dev.leakline.result.Comparison.SiteChange;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import java.util.Comparator;

/** Summarises a comparison in one sentence. */
final class DiffSummary {
    private DiffSummary() {}

    static String of(Comparison comparison, ChangeOutcome outcome) {
        return comparison.isSame() || comparison.devices().isEmpty()
                ? outcome.sentence()
                : outcome.sentence() + "; " + peak(comparison);
    }

    /** The device whose peak changed most, and the line that did most of it. */
    private static String peak(Comparison comparison) {
        return comparison.devices().stream()
                .max(Comparator.comparingLong(device -> Math.abs(change(device))))
                .filter(device -> change(device) != 0)
                .map(device -> peak(device, comparison.devices().size() > 1))
                .orElse("the peak is the same");
    }

    private static String peak(DeviceChange device, boolean isNamed) {
        String name = isNamed ? "the peak of " + device.device().name() : "the peak";
        String way = change(device) > 0 ? " rose by " : " fell by ";
        return name + way + ByteSize.format(Math.abs(change(device))) + percent(device) + most(device);
    }

    private static String percent(DeviceChange device) {
        return device.peakBefore() == 0 ? "" : " (" + Numbers.change(device.peakBefore(), device.peakAfter()) + ")";
    }

    private static String most(DeviceChange device) {
        if (device.sites().isEmpty()) {
            return "";
        }
        SiteChange first = device.sites().getFirst();
        double share = (double) first.change() / change(device);
        return share > 0.5 ? ", most of it at " + first.use().site().brief() : "";
    }

    private static long change(DeviceChange device) {
        return device.peakAfter() - device.peakBefore();
    }
}
