package dev.leakline.report;

import dev.leakline.result.AnalysisResult;
import dev.leakline.result.DeviceResult;
import dev.leakline.result.Finding;
import dev.leakline.result.Frame;
import dev.leakline.result.Site;
import dev.leakline.text.Printable;

/** Names the device that something is about. */
public final class Devices {
    private Devices() {}

    /** Inputs that are no dumps. */
    static int recordings(AnalysisResult result) {
        return result.inputs().size()
                - result.dumps().stream().mapToInt(dump -> dump.inputs().size()).sum();
    }

    /** Returns whether an input is no dump. */
    static boolean isRecording(AnalysisResult result, int input) {
        return result.dumps().stream().noneMatch(dump -> dump.inputs().contains(input));
    }

    /** Where a finding was made: figures name their device themselves. */
    static String name(AnalysisResult result, Finding finding) {
        return finding.site().kind() == Site.Kind.FIGURE
                ? new Frame(Printable.of(result.inputs().get(finding.input()).path()), 0, "").fileName()
                : name(result, finding.input(), finding.device());
    }

    /** The file of an input, where there are several. */
    static String fileOf(AnalysisResult result, int input) {
        return recordings(result) <= 1
                ? ""
                : " in " + new Frame(result.inputs().get(input).path(), 0, "").fileName();
    }

    /** A device's name, with that of its input where there are several. */
    public static String name(AnalysisResult result, int input, int device) {
        String name = result.devices().stream()
                .filter(known -> known.input() == input && known.device() == device)
                .map(DeviceResult::name)
                .findFirst()
                .orElse("device " + device);
        if (recordings(result) <= 1) {
            return name;
        }
        String path = Printable.of(result.inputs().get(input).path());
        return name + " of " + new Frame(path, 0, "").fileName();
    }
}
