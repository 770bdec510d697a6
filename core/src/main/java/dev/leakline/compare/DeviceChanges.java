package dev.leakline.compare;

import dev.leakline.compare.Pairing.Pair;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.Comparison.DeviceChange;
import dev.leakline.result.Comparison.SiteChange;
import dev.leakline.result.DeviceResult;
import dev.leakline.result.SiteUse;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Compares devices of the same recording and number, or the only ones there are, line by line. One that holds nothing, and is on one side only, is left out. */
final class DeviceChanges {
    private DeviceChanges() {}

    static List<DeviceChange> list(AnalysisResult before, AnalysisResult after) {
        return new Pairing<>(before.devices(), after.devices())
                        .by(
                                device -> List.of(recording(before, device), device.device()),
                                device -> List.of(recording(after, device), device.device()))
                        .byUnique(DeviceResult::device)
                        .byUnique(device -> device.device() < 0)
                        .pairs()
                        .stream()
                        .filter(pair -> !isEmpty(pair))
                        .map(DeviceChanges::change)
                        .sorted(Comparator.comparingInt(
                                        (DeviceChange change) -> change.device().input())
                                .thenComparingInt(change -> change.device().device()))
                        .toList();
    }

    /** The number of a device's recording among those of its side, beside which there may be dumps and texts. */
    private static long recording(AnalysisResult side, DeviceResult of) {
        return side.devices().stream()
                .map(DeviceResult::input)
                .filter(input -> input < of.input())
                .distinct()
                .count();
    }

    private static boolean isEmpty(Pair<DeviceResult> pair) {
        DeviceResult only = pair.before() == null ? pair.after() : pair.after() == null ? pair.before() : null;
        return only != null && only.peak().bytes() == 0;
    }

    private static DeviceChange change(Pair<DeviceResult> pair) {
        List<SiteChange> sites = sites(uses(pair.before()), uses(pair.after()));
        return new DeviceChange(pair.before(), pair.after(), sites, unlisted(pair.before()), unlisted(pair.after()));
    }

    private static List<SiteUse> uses(@Nullable DeviceResult device) {
        return device == null ? List.of() : device.peak().bySite();
    }

    private static long unlisted(@Nullable DeviceResult device) {
        long listed = uses(device).stream().mapToLong(SiteUse::bytes).sum();
        return device == null ? 0 : device.peak().bytes() - listed;
    }

    private static List<SiteChange> sites(List<SiteUse> before, List<SiteUse> after) {
        SamePlaces places = new SamePlaces(before, after);
        return new Pairing<>(before, after)
                        .by(places::placeOfPartner, places::placeOfAfter)
                        .by(places::placeOfBefore, places::placeOfAfter)
                        .pairs()
                        .stream()
                        .map(pair -> new SiteChange(pair.before(), pair.after()))
                        .sorted(Comparator.comparingLong((SiteChange site) -> Math.abs(site.change()))
                                .thenComparingLong(SiteChange::bytesAfter)
                                .reversed())
                        .toList();
    }
}
