package dev.leakline.report.diff;

import dev.leakline.report.Devices;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.Comparison;
import dev.leakline.result.Comparison.DeviceChange;
import dev.leakline.result.Comparison.Side;
import dev.leakline.result.InputFile;
import dev.leakline.text.Numbers;
import dev.leakline.text.Printable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Words of a comparison for its sides, verdicts, devices and settings, as text and on the page. */
final class DiffWords {
    /** Inputs of a side that are named; a job may have thousands of ranks. */
    private static final int INPUTS_NAMED = 3;
    /** Characters of a setting; whatever is longer was not made by people. */
    private static final int LONGEST = 200;

    private DiffWords() {}

    /** The name of a side, and of what it is the report, but for what lies in a folder of that name. */
    static String side(Side side) {
        List<String> all = side.result().inputs().stream()
                .map(InputFile::path)
                .filter(path -> !path.startsWith(side.name()))
                .toList();
        String inputs = String.join(", ", all.subList(0, Math.min(all.size(), INPUTS_NAMED)));
        int more = all.size() - INPUTS_NAMED;
        String others = more > 0 ? " and " + Numbers.grouped(more) + " more" : "";
        return side.name() + (inputs.isEmpty() ? "" : ", the report of " + inputs + others);
    }

    /** The verdict, or both where they differ. */
    static String verdicts(Comparison comparison) {
        String was = verdict(comparison.before().result());
        String is = verdict(comparison.after().result());
        return was.equals(is) ? is : was + " -> " + is;
    }

    /** The verdict of a side. */
    static String verdict(AnalysisResult result) {
        return result.verdict().word();
    }

    /** The name of a device, on the side that has it. */
    static String device(Comparison comparison, DeviceChange change) {
        AnalysisResult result = (change.after() == null ? comparison.before() : comparison.after()).result();
        return Devices.name(result, change.device().input(), change.device().device());
    }

    /** The value of a setting. */
    static String setting(@Nullable Object value) {
        return value == null ? "not recorded" : Printable.of(value.toString(), LONGEST);
    }
}
