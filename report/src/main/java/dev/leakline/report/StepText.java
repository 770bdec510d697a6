package dev.leakline.report;

import dev.leakline.report.terminal.Page;
import dev.leakline.report.terminal.Style;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.DeviceResult;
import dev.leakline.result.StepSummary;
import dev.leakline.result.StepSummary.Phase;
import dev.leakline.text.Numbers;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/** Prints the steps of the recordings. */
final class StepText {
    private static final int PHASES_SHOWN = 6;

    private final Page page;

    private StepText(Page page) {
        this.page = page;
    }

    /** The steps of all devices that recorded anything; what several have in common is said once. */
    static List<String> lines(AnalysisResult result, Style style) {
        Page page = new Page(style);
        Map<StepSummary, String> devices = devices(result);
        if (!devices.isEmpty()) {
            page.heading("steps");
        }
        StepText text = new StepText(page);
        devices.forEach((steps, names) -> text.write(steps, devices.size() > 1 ? names + ": " : ""));
        return page.lines();
    }

    private static Map<StepSummary, String> devices(AnalysisResult result) {
        Map<StepSummary, StringJoiner> names = new LinkedHashMap<>();
        for (DeviceResult device : result.devices()) {
            if (device.events() > 0) {
                names.computeIfAbsent(device.steps(), _ -> new StringJoiner(", "))
                        .add(Devices.name(result, device.input(), device.device()));
            }
        }
        Map<StepSummary, String> joined = new LinkedHashMap<>();
        names.forEach((steps, joiner) -> joined.put(steps, joiner.toString()));
        return joined;
    }

    private void write(StepSummary steps, String where) {
        steps.sentences().forEach(sentence -> page.text(where + sentence));
        phases(steps.phases());
    }

    private void phases(List<Phase> phases) {
        if (phases.size() > 1) {
            phases.stream().limit(PHASES_SHOWN).forEach(phase -> page.text(phase.sentence()));
        }
        if (phases.size() > PHASES_SHOWN) {
            page.text("and " + Numbers.counted(phases.size() - PHASES_SHOWN, "more phase"));
        }
    }
}
