package dev.leakline.compare;

import dev.leakline.result.AnalysisResult;
import dev.leakline.result.Comparison.DeviceChange;
import dev.leakline.result.Comparison.SiteChange;
import dev.leakline.result.DeviceResult;
import dev.leakline.result.HostMemory;
import dev.leakline.result.InputFile;
import dev.leakline.result.JobProcess;
import dev.leakline.source.ProbeFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Lists in sentences what makes two results hard to compare; none if they are of the same kind and complete. */
final class Caveats {
    private final AnalysisResult before;
    private final AnalysisResult after;
    private final List<String> sentences = new ArrayList<>();

    private Caveats(AnalysisResult before, AnalysisResult after) {
        this.before = before;
        this.after = after;
    }

    static List<String> of(AnalysisResult before, AnalysisResult after, List<DeviceChange> devices) {
        Caveats caveats = new Caveats(before, after);
        caveats.versions();
        caveats.cut("before", before);
        caveats.cut("after", after);
        caveats.strangers(devices);
        caveats.host();
        caveats.sentences.addAll(DeviceCaveats.of(before, after, devices));
        return caveats.sentences;
    }

    private void versions() {
        differ("torch is ", InputFile::torch, "; its allocator may have changed between the two");
        if (!before.toolVersion().equals(after.toolVersion())) {
            sentences.add("leakline " + before.toolVersion() + " analysed before, " + after.toolVersion()
                    + " after: a new finding may come from the other version");
        }
        long was = recordings(before);
        long is = recordings(after);
        if (was != is) {
            sentences.add(was + " recordings before, " + is + " after; they are compared in order");
        }
    }

    private static long recordings(AnalysisResult result) {
        return result.devices().stream().map(DeviceResult::input).distinct().count();
    }

    /** A property of the recordings; other files beside them have none that the allocator goes by. */
    private void differ(String what, Function<InputFile, @Nullable String> property, String consequence) {
        String was = joined(before, property);
        String is = joined(after, property);
        if (!was.equals(is)) {
            sentences.add(what + was + " before, " + is + " after" + consequence);
        }
    }

    private static String joined(AnalysisResult result, Function<InputFile, @Nullable String> property) {
        return result.devices().stream()
                .map(device -> property.apply(result.inputs().get(device.input())))
                .filter(Objects::nonNull)
                .distinct()
                .collect(Collectors.joining(", "));
    }

    /** Warns where nobody saw whether what no longer leaks on a device was moved to the host. */
    private void host() {
        boolean isOfRun = after.inputs().stream()
                .map(input -> ProbeFile.of(input.path()))
                .anyMatch(file -> file != null && file.kind().equals(ProbeFile.LEVELS));
        JobProcess worst = after.worstOnHost();
        if (!isOfRun || before.findings().isEmpty() || !after.findings().isEmpty()) {
            return;
        }
        if (worst == null) {
            sentences.add("the host's memory was not looked at for long enough to tell whether it grows now");
        } else if (worst.hostMemory().verdict() == HostMemory.Verdict.UNDETERMINED
                && worst.hostMemory().growthPerSecond() > 0) {
            sentences.add(worst.hostMemory().sentence());
        }
    }

    private void cut(String side, AnalysisResult result) {
        for (InputFile input : result.inputs()) {
            if (input.incomplete() != null) {
                sentences.add(side + " is incomplete: " + input.path() + ": " + input.incomplete());
            }
        }
    }

    /** Two runs of one job have code in common. */
    private void strangers(List<DeviceChange> devices) {
        List<SiteChange> lines = devices.stream()
                .flatMap(device -> device.sites().stream())
                .filter(site -> site.use().site().isLine())
                .toList();
        boolean hasBefore = lines.stream().anyMatch(site -> site.before() != null);
        boolean hasAfter = lines.stream().anyMatch(site -> site.after() != null);
        if (hasBefore && hasAfter && lines.stream().allMatch(site -> site.before() == null || site.after() == null)) {
            sentences.add("the two sides have no line of code in common: they may be different jobs");
        }
    }
}
