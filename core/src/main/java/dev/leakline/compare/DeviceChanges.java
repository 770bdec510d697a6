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

/** Compares devices of the same input and number, or the only ones there are, line by line. */
final class DeviceChanges {
    private DeviceChanges() {}

    static List<DeviceChange> list(AnalysisResult before, AnalysisResult after) {
        return new Pairing<>(before.devices(), after.devices())
                        .by(device -> List.of(device.input(), device.device()))
                        .byUnique(device -> device.device() < 0)
                        .pairs()
                        .stream()
                        .map(DeviceChanges::change)
                        .sorted(Comparator.comparingInt(
                                        (DeviceChange change) -> change.device().input())
                                .thenComparingInt(change -> change.device().device()))
                        .toList();
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
