package dev.leakline.codec;

import dev.leakline.codec.Completeness.Missing;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.DeviceResult;
import dev.leakline.result.Finding;
import dev.leakline.result.FindingHolder;
import dev.leakline.result.FunctionReport;
import dev.leakline.result.FunctionReport.Profile;
import dev.leakline.result.Holders.Growth;
import dev.leakline.result.Holders.Hop;
import dev.leakline.result.JobSummary;
import dev.leakline.result.JoinedDump;
import dev.leakline.result.MeasuredSeries;
import dev.leakline.result.MemoryGap;
import dev.leakline.result.OutOfMemoryExplanation;
import dev.leakline.result.OutOfMemoryLog;
import dev.leakline.result.ProcessSummary;
import dev.leakline.result.ProcessSummary.Course;
import dev.leakline.result.ProcessSummary.LineMemory;
import dev.leakline.source.ReadException;
import dev.leakline.source.ReadException.Code;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks that a report that was read is consistent, so that printing it cannot fail. */
final class ReportCheck {
    private final AnalysisResult result;
    private final JsonIn json;

    private ReportCheck(AnalysisResult result, JsonIn json) {
        this.result = result;
        this.json = json;
    }

    static AnalysisResult check(@Nullable AnalysisResult read, JsonIn json) throws ReadException {
        if (read == null) {
            throw new ReadException(Code.DAMAGED, 0, "expected a report, found nothing");
        }
        AnalysisResult filled = Defaults.filled(read);
        ReportCheck check = new ReportCheck(filled, json);
        Missing missing = Completeness.missing(filled);
        if (missing != null) {
            throw check.wrong(missing.place(), missing.expected(), missing.found());
        }
        check.findings();
        check.devices();
        check.dumps();
        check.figures();
        return filled;
    }

    /** Checks that a summary is complete, and that each high has its step. */
    static JobSummary check(@Nullable JobSummary read, JsonIn json) throws ReadException {
        JobSummary summary = complete(read, json);
        for (ProcessSummary process : summary.processes()) {
            check(process.total(), json);
            for (LineMemory line : process.lines()) {
                check(line.own(), json);
                check(line.through(), json);
            }
        }
        return summary;
    }

    /** A document that was read, if all of it is there. */
    static <T extends Record> T complete(@Nullable T read, JsonIn json) throws ReadException {
        Missing missing = read == null ? null : Completeness.missing(read);
        if (read == null || missing != null) {
            throw missing == null
                    ? new ReadException(Code.DAMAGED, 0, "expected an object, found nothing")
                    : JsonIn.wrong(missing.place(), missing.expected(), missing.found(), json.offset());
        }
        return read;
    }

    private static void check(Course course, JsonIn json) throws ReadException {
        if (course.steps().size() != course.bytes().size()) {
            throw JsonIn.wrong("/processes", "as many steps as bytes", "others", json.offset());
        }
    }

    private void findings() throws ReadException {
        for (int i = 0; i < result.findings().size(); i++) {
            Finding finding = result.findings().get(i);
            String place = "/findings/" + i;
            input(finding.input(), place + "/input");
            for (int j = 0; j < finding.holders().size(); j++) {
                holder(finding.holders().get(j), place + "/holders/" + j);
            }
        }
    }

    /** A path has a beginning; what grows from dump to dump has a number of each dump. */
    private void holder(FindingHolder holder, String place) throws ReadException {
        input(holder.input(), place + "/input");
        path(holder.path(), place + "/path");
        if (holder.cycle() != null) {
            path(holder.cycle().hops(), place + "/cycle/hops");
        }
        Growth growth = holder.growth();
        if (growth != null) {
            int dumps = growth.bytes().size();
            if (dumps == 0
                    || growth.storages().size() != dumps
                    || growth.items().size() != dumps) {
                throw wrong(place + "/growth", "as many items as bytes and storages, one at least", "others");
            }
        }
    }

    private void path(List<Hop> hops, String place) throws ReadException {
        if (hops.isEmpty()) {
            throw wrong(place, "an object at least", "an empty list");
        }
    }

    private void devices() throws ReadException {
        for (int i = 0; i < result.devices().size(); i++) {
            DeviceResult device = result.devices().get(i);
            String place = "/devices/" + i;
            input(device.input(), place + "/input");
            if (device.peak().unlisted() < 0) {
                throw wrong(
                        place + "/peak/sites",
                        "at least the " + device.peak().bySite().size() + " that are listed",
                        String.valueOf(device.peak().sites()));
            }
        }
    }

    private void dumps() throws ReadException {
        for (int i = 0; i < result.dumps().size(); i++) {
            JoinedDump dump = result.dumps().get(i);
            String place = "/dumps/" + i;
            if (dump.snapshot() != null) {
                input(dump.snapshot(), place + "/snapshot");
            }
            for (int input : dump.inputs()) {
                input(input, place + "/inputs");
            }
        }
    }

    /** Gaps name their series, messages their logs. */
    private void figures() throws ReadException {
        FunctionReport functions = result.functions();
        for (Profile profile : functions == null ? List.<Profile>of() : functions.profiles()) {
            input(profile.input(), "/functions/profiles");
        }
        for (MeasuredSeries series : result.series()) {
            input(series.input(), "/series");
        }
        int series = result.series().size();
        for (MemoryGap gap : result.gaps()) {
            number(gap.outerSeries(), series, "series", "/gaps");
            number(Math.max(gap.innerSeries(), 0), Math.max(series, 1), "series", "/gaps");
        }
        for (OutOfMemoryLog log : result.logs()) {
            input(log.input(), "/logs");
        }
        for (OutOfMemoryExplanation message : result.messages()) {
            number(message.log(), result.logs().size(), "logs", "/messages");
        }
    }

    private void input(int number, String place) throws ReadException {
        number(number, result.inputs().size(), "inputs", place);
    }

    private void number(int number, int count, String of, String place) throws ReadException {
        if (number < 0 || number >= count) {
            throw wrong(place, "the index of one of " + count + " " + of, String.valueOf(number));
        }
    }

    private ReadException wrong(String place, String expected, String found) {
        return JsonIn.wrong(place, expected, found, json.offset());
    }
}
