package dev.leakline.compare;

import dev.leakline.primitive.ByteSize;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.Comparison.DeviceChange;
import dev.leakline.result.Comparison.SiteChange;
import dev.leakline.result.Coverage.Ring;
import dev.leakline.result.DeviceResult;
import dev.leakline.result.Finding;
import dev.leakline.result.InputFile;
import dev.leakline.result.SiteUse;
import dev.leakline.result.StepSummary;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What makes two results hard to compare, in sentences; none where they are of the same kind and whole. */
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
        devices.forEach(device -> caveats.device(device, devices.size() > 1));
        return caveats.sentences;
    }

    private void versions() {
        differ("torch is ", InputFile::torch, "; its allocator may have changed between the two");
        if (!before.toolVersion().equals(after.toolVersion())) {
            sentences.add("leakline " + before.toolVersion() + " judged before, " + after.toolVersion()
                    + " after: what is new may be what only one of them sees");
        }
        if (before.inputs().size() != after.inputs().size()) {
            sentences.add(before.inputs().size() + " inputs before, "
                    + after.inputs().size() + " after; they are compared in their order");
        }
    }

    private void differ(String what, Function<InputFile, String> property, String consequence) {
        String was = joined(before, property);
        String is = joined(after, property);
        if (!was.equals(is)) {
            sentences.add(what + was + " before, " + is + " after" + consequence);
        }
    }

    private static String joined(AnalysisResult result, Function<InputFile, String> property) {
        return String.join(
                ", ", result.inputs().stream().map(property).distinct().toList());
    }

    private void cut(String side, AnalysisResult result) {
        for (InputFile input : result.inputs()) {
            if (input.incomplete() != null) {
                sentences.add(side + " is not whole: " + input.path() + ": " + input.incomplete());
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
            sentences.add("no line of code is on both sides: these may be two different jobs");
        }
    }

    private void device(DeviceChange change, boolean isNamed) {
        DeviceResult was = change.before();
        DeviceResult is = change.after();
        String name = name(change.device().device());
        if (was == null || is == null) {
            sentences.add(name + " is there only " + (was == null ? "after" : "before"));
            return;
        }
        if (was.device() != is.device()) {
            sentences.add(name(was.device()) + " before is compared with " + name(is.device())
                    + " after, the only other one");
        }
        String where = isNamed ? name + ": " : "";
        steps(was, is, where);
        recording("before", was, where);
        recording("after", is, where);
        if (was.coverage().hasTimes() != is.coverage().hasTimes()) {
            sentences.add(where + "only " + (was.coverage().hasTimes() ? "before" : "after") + " has times");
        }
        unlisted("before", was, where);
        unlisted("after", is, where);
    }

    private static String name(int device) {
        return device < 0 ? "pinned host memory" : "device " + device;
    }

    private void steps(DeviceResult was, DeviceResult is, String where) {
        StepSummary old = was.steps();
        StepSummary now = is.steps();
        if (!FindingChanges.areAlike(old, now)) {
            sentences.add(where + "steps mean different things (" + step(old) + " before, " + step(now)
                    + " after), so bytes per step cannot be weighed against each other");
        } else if (old.count() != now.count() && (grows(before, was) || grows(after, is))) {
            sentences.add(where + "the recordings differ in length (" + count(old.count()) + " and "
                    + count(now.count()) + " steps): what grows holds more the longer it is recorded, so compare bytes"
                    + " per step, not peaks");
        }
    }

    private static String step(StepSummary steps) {
        return steps.kind() == StepSummary.Kind.NONE ? "none were found" : steps.meaning();
    }

    private static String count(int number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    private static boolean grows(AnalysisResult result, DeviceResult device) {
        return result.findings().stream().anyMatch(finding -> isOn(finding, device) && finding.growth() != null);
    }

    private static boolean isOn(Finding finding, DeviceResult device) {
        return finding.input() == device.input() && finding.device() == device.device();
    }

    private void recording(String side, DeviceResult device, String where) {
        Ring ring = device.coverage().ring();
        if (ring == Ring.EMPTY) {
            sentences.add(where + side + " has no history, only its final state");
        } else if (ring == Ring.WRAPPED) {
            sentences.add(where + side + " has lost its beginning: the ring buffer overflowed");
        }
    }

    private void unlisted(String side, @Nullable DeviceResult device, String where) {
        if (device != null && device.peak().unlisted() > 0) {
            List<SiteUse> sites = device.peak().sites();
            String most = sites.isEmpty()
                    ? ""
                    : ", each less than " + ByteSize.format(sites.getLast().bytes());
            sentences.add(where + side + " is a report that names " + sites.size() + " of "
                    + (sites.size() + device.peak().unlisted()) + " lines; the others hold "
                    + ByteSize.format(Objects.requireNonNull(device).peak().bytes()
                            - sites.stream().mapToLong(SiteUse::bytes).sum())
                    + " together" + most);
        }
    }
}
