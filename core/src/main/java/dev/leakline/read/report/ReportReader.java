package dev.leakline.read.report;

import dev.leakline.result.Acquittal;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.AnalysisResult.Verdict;
import dev.leakline.result.Check;
import dev.leakline.result.DeviceResult;
import dev.leakline.result.Finding;
import dev.leakline.result.FindingHolder;
import dev.leakline.result.FunctionReport;
import dev.leakline.result.FunctionReport.Profile;
import dev.leakline.result.InputFile;
import dev.leakline.result.JoinedDump;
import dev.leakline.result.MeasuredSeries;
import dev.leakline.source.JsonInput;
import dev.leakline.source.JsonObject;
import dev.leakline.source.LimitedInput;
import dev.leakline.source.ReadException;
import dev.leakline.source.ReadException.Code;
import dev.leakline.source.ReadLimits;
import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads what {@code leakline report} wrote back into the result that it was made of: JSON, schema {@code leakline.report/1}, or the
 * data of a page, schema {@code leakline.page/1}, whose pictures are passed over.
 *
 * <p>A text or JSON report of what was read is the same, byte for byte, as one of the original, except for what was left out when it
 * was written: lines of code beyond {@code --top} and, without {@code --stacks}, their stacks. The files may come from anybody:
 * every length is bounded, properties that are not known are passed over, and what is wrong is an error that names its place.
 */
public final class ReportReader {
    private static final String REPORT = "leakline.report/1";
    private static final String PAGE = "leakline.page/1";

    private static final Shape<InputFile> INPUT = new Shape<>(json -> new InputFile(
            json.text("path"),
            json.text("kind"),
            json.number("bytes"),
            json.text("torch", ""),
            json.textOrNull("incomplete")));

    private static final Shape<String> TOOL = new Shape<>(json -> json.text("version"));

    /** A report, or a page around one: which it is only its schema tells, and that may stand anywhere. */
    private static final Shape<AnalysisResult> DOCUMENT = report().with("report", report());

    private ReportReader() {}

    /** Reads JSON to its end. */
    public static AnalysisResult read(InputStream json, ReadLimits limits) throws IOException {
        AnalysisResult result = new JsonInput(new LimitedInput(json, limits.reportBytes()), limits).read(DOCUMENT);
        if (result == null) {
            throw new ReadException(Code.DAMAGED, 0, "a report is expected, found null");
        }
        return result;
    }

    private static Shape<AnalysisResult> report() {
        return new Shape<>(ReportReader::result)
                .with("schema", ReportReader::schema)
                .with("tool", TOOL)
                .withList("inputs", INPUT)
                .withList("findings", FindingShapes.FINDING)
                .withList("acquittals", FindingShapes.ACQUITTAL)
                .withList("checks", FindingShapes.CHECK)
                .withList("devices", DeviceShapes.DEVICE)
                .withList("dumps", HolderShapes.DUMP)
                .with("settings", JsonInput::any)
                .withList("series", SeriesShapes.SERIES)
                .withList("gaps", SeriesShapes.GAP)
                .withList("agreements", SeriesShapes.AGREEMENT)
                .with("functions", FunctionShapes.REPORT);
    }

    /** The schema, refused as soon as it is read where it is another one: it mostly comes first. */
    private static String schema(JsonInput json) throws IOException {
        String schema = json.text();
        if (!schema.equals(REPORT) && !schema.equals(PAGE)) {
            throw json.wrong("", "'" + REPORT + "' or '" + PAGE + "'", JsonObject.describe(schema));
        }
        return schema;
    }

    private static AnalysisResult result(JsonObject json) throws ReadException {
        if (json.text("schema").equals(PAGE)) {
            return json.part("report", AnalysisResult.class);
        }
        AnalysisResult result = new AnalysisResult(
                json.part("tool", String.class),
                json.list("inputs", InputFile.class),
                json.constant("verdict", Verdict.class),
                json.text("reason"),
                json.list("findings", Finding.class),
                json.list("acquittals", Acquittal.class),
                json.list("checks", Check.class),
                json.list("devices", DeviceResult.class),
                settings(json.map("settings")),
                SeriesShapes.measured(json, json.partOrNull("functions", FunctionReport.class)),
                json.listOrNone("dumps", JoinedDump.class),
                List.of(),
                List.of());
        checkInputs(result, json);
        return result;
    }

    private static Map<String, Object> settings(Map<?, ?> found) {
        Map<String, Object> settings = new LinkedHashMap<>();
        found.forEach((name, value) -> settings.put(String.valueOf(name), value));
        return settings;
    }

    /** Findings, devices and series name their inputs by number. */
    private static void checkInputs(AnalysisResult result, JsonObject json) throws ReadException {
        for (Finding finding : result.findings()) {
            checkInput(finding.input(), "findings", result, json);
            for (FindingHolder holder : finding.holders()) {
                checkInput(holder.dump(), "findings", result, json);
            }
        }
        for (DeviceResult device : result.devices()) {
            checkInput(device.input(), "devices", result, json);
        }
        for (JoinedDump dump : result.dumps()) {
            checkInput(Math.max(dump.input(), 0), "dumps", result, json);
            for (int i = 0; i < dump.dumps().size(); i++) {
                checkInput(dump.dumps().get(i), "dumps", result, json);
            }
        }
        FunctionReport functions = result.measured().functions();
        for (Profile profile : functions == null ? List.<Profile>of() : functions.profiles()) {
            checkInput(profile.input(), "functions", result, json);
        }
        for (MeasuredSeries series : result.measured().series()) {
            checkInput(series.input(), "series", result, json);
        }
    }

    private static void checkInput(int input, String where, AnalysisResult result, JsonObject json)
            throws ReadException {
        int inputs = result.inputs().size();
        if (input < 0 || input >= inputs) {
            throw json.wrong(where, "the number of one of " + inputs + " inputs", (long) input);
        }
    }
}
