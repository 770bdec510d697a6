package dev.leakline.compare;

import dev.leakline.result.AnalysisResult;
import dev.leakline.result.Comparison.DeviceChange;
import dev.leakline.result.Coverage.Ring;
import dev.leakline.result.DeviceResult;
import dev.leakline.result.Finding;
import dev.leakline.result.Frame;
import dev.leakline.result.SiteUse;
import dev.leakline.result.StepSummary;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Lists what makes devices hard to compare; a sentence that holds for several devices stands once. */
final class DeviceCaveats {
    /** Devices that a sentence names; a job may have thousands. */
    private static final int NAMED = 3;

    private final AnalysisResult before;
    private final AnalysisResult after;
    /** The devices that each sentence is about. */
    private final Map<String, List<String>> sentences = new LinkedHashMap<>();

    private DeviceCaveats(AnalysisResult before, AnalysisResult after) {
        this.before = before;
        this.after = after;
    }

    static List<String> of(AnalysisResult before, AnalysisResult after, List<DeviceChange> devices) {
        DeviceCaveats caveats = new DeviceCaveats(before, after);
        devices.forEach(caveats::device);
        List<String> sentences = new ArrayList<>();
        caveats.sentences.forEach((sentence, names) ->
                sentences.add(names.size() == devices.size() ? sentence : joined(names) + ": " + sentence));
        return sentences;
    }

    private static String joined(List<String> names) {
        String first = String.join(", ", names.subList(0, Math.min(names.size(), NAMED)));
        return names.size() <= NAMED ? first : first + " and " + (names.size() - NAMED) + " more";
    }

    private void device(DeviceChange change) {
        DeviceResult was = change.before();
        DeviceResult is = change.after();
        AnalysisResult result = is == null ? before : after;
        String name = name(result, change.device());
        if (was == null || is == null) {
            say("it is present only " + (was == null ? "after" : "before"), name);
            return;
        }
        if (was.device() != is.device()) {
            say(
                    name(before, was) + " before is compared with " + name(after, is) + " after, the only other device",
                    name);
        }
        steps(was, is, name);
        recording("before", was, name);
        recording("after", is, name);
        if (was.coverage().hasTimes() != is.coverage().hasTimes()) {
            say("only " + (was.coverage().hasTimes() ? "before" : "after") + " has timestamps", name);
        }
        unlisted("before", was, name);
        unlisted("after", is, name);
    }

    private void say(String sentence, String name) {
        sentences.computeIfAbsent(sentence, _ -> new ArrayList<>()).add(name);
    }

    private static String name(AnalysisResult result, DeviceResult device) {
        String name = device.name();
        return result.inputs().size() <= 1
                ? name
                : name + " of " + new Frame(result.inputs().get(device.input()).path(), 0, "").fileName();
    }

    private void steps(DeviceResult was, DeviceResult is, String name) {
        StepSummary old = was.steps();
        StepSummary now = is.steps();
        if (!FindingChanges.areAlike(old, now)) {
            say(
                    "steps mean different things (" + step(old) + " before, " + step(now)
                            + " after), so bytes per step cannot be compared",
                    name);
        } else if (old.count() != now.count() && (grows(before, was) || grows(after, is))) {
            say(
                    "the recordings differ in length (" + Numbers.grouped(old.count()) + " and "
                            + Numbers.grouped(now.count())
                            + " steps): what grows is larger in the longer one, so compare bytes per step, not peaks",
                    name);
        }
    }

    private static String step(StepSummary steps) {
        return steps.kind() == StepSummary.Kind.NONE ? "none were found" : steps.meaning();
    }

    private static boolean grows(AnalysisResult result, DeviceResult device) {
        return result.findings().stream().anyMatch(finding -> isOn(finding, device) && finding.growth() != null);
    }

    private static boolean isOn(Finding finding, DeviceResult device) {
        return finding.input() == device.input() && finding.device() == device.device();
    }

    private void recording(String side, DeviceResult device, String name) {
        Ring ring = device.coverage().ring();
        if (ring == Ring.EMPTY) {
            say(side + " has no history, only its final state", name);
        } else if (ring == Ring.WRAPPED) {
            say(side + " lacks its beginning: the ring buffer overflowed", name);
        }
    }

    private void unlisted(String side, DeviceResult device, String name) {
        List<SiteUse> sites = device.peak().bySite();
        int more = device.peak().unlisted();
        if (more > 0) {
            long named = sites.stream().mapToLong(SiteUse::bytes).sum();
            String most = sites.isEmpty()
                    ? ""
                    : ", none more than " + ByteSize.format(sites.getLast().bytes());
            say(
                    side + " is a report that lists " + sites.size() + " of " + (sites.size() + more)
                            + " lines; the others hold "
                            + ByteSize.format(device.peak().bytes() - named) + " in total" + most,
                    name);
        }
    }
}
