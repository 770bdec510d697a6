package dev.leakline.report;

import dev.leakline.result.AnalysisResult;
import dev.leakline.result.DeviceResult;
import dev.leakline.result.StepSummary;
import java.io.Writer;
import java.util.List;

/**
 * A result as JSON, schema {@code leakline.report/1}: names in snake_case, sizes in bytes, times in Unix microseconds, null for what is
 * not known. Fields are added in later versions, never renamed or removed.
 */
public final class JsonReport {
    /** The schema that this class writes. */
    public static final String SCHEMA = "leakline.report/1";

    private static final StepSummary NO_STEPS = new StepSummary(StepSummary.Kind.NONE, "", 0, 0, List.of());

    private final Json json;
    private final FindingJson findings;
    private final DeviceJson devices;

    private JsonReport(Json json, int top, boolean hasStacks) {
        this.json = json;
        this.findings = new FindingJson(json);
        this.devices = new DeviceJson(json, top, hasStacks);
    }

    /**
     * Writes a result and flushes, but does not close.
     *
     * @param top sites of a peak, at most
     * @param hasStacks whether each site comes with its stacks
     */
    public static void write(AnalysisResult result, int top, boolean hasStacks, Writer out) {
        try (Json json = Json.indented(out)) {
            json.generator.writeStartObject();
            properties(result, top, hasStacks, json);
            json.generator.writeEndObject();
            json.generator.writeRaw('\n');
        }
    }

    /** The properties of a result, where it is part of something else. */
    static void properties(AnalysisResult result, int top, boolean hasStacks, Json json) {
        new JsonReport(json, top, hasStacks).write(result);
    }

    private void write(AnalysisResult result) {
        json.string("schema", SCHEMA);
        json.tool(result.toolVersion());
        json.objects("inputs", result.inputs(), json::input);
        json.constant("verdict", result.verdict());
        json.string("reason", Headline.of(result));
        findings.findings(result);
        findings.acquittals(result);
        findings.checks(result);
        json.objects("dumps", result.dumps(), new DumpJson(json)::dump);
        writeFirst(result);
        json.objects("devices", result.devices(), devices::device);
        json.generator.writeName("settings");
        json.value(result.settings());
        new SeriesJson(json).measured(result.measured());
        json.object("functions", result.measured().functions(), new FunctionJson(json)::report);
    }

    /** The devices to speak of first, once more where readers look first. */
    private void writeFirst(AnalysisResult result) {
        DeviceResult worst = result.worst();
        DeviceResult first = Devices.first(result);
        json.object("peak", worst, devices::peak);
        json.object("steps", first == null ? NO_STEPS : first.steps(), findings::steps);
        json.object("coverage", worst, devices::coverage);
    }
}
