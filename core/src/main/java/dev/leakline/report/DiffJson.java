package dev.leakline.report;

import dev.leakline.result.AnalysisResult;
import dev.leakline.result.Comparison;
import dev.leakline.result.Comparison.DeviceChange;
import dev.leakline.result.Comparison.FindingChange;
import dev.leakline.result.Comparison.SettingChange;
import dev.leakline.result.Comparison.Side;
import dev.leakline.result.Comparison.SiteChange;
import dev.leakline.result.DeviceResult;
import dev.leakline.result.Finding;
import dev.leakline.result.Growth;
import dev.leakline.result.InputFile;
import dev.leakline.result.SiteUse;
import java.io.Writer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A comparison as JSON, schema {@code leakline.diff/1}: names in snake_case, sizes in bytes, null for what is not there or not known.
 * Fields are added in later versions, never renamed or removed.
 */
public final class DiffJson {
    /** The schema that this class writes. */
    public static final String SCHEMA = "leakline.diff/1";

    private final Json json;
    private final int top;

    private DiffJson(Json json, int top) {
        this.json = json;
        this.top = top;
    }

    /**
     * Writes a comparison and flushes, but does not close.
     *
     * @param top lines of code of a device, at most
     */
    public static void write(Comparison comparison, int top, Writer out) {
        try (Json json = Json.indented(out)) {
            json.generator.writeStartObject();
            new DiffJson(json, top).write(comparison);
            json.generator.writeEndObject();
            json.generator.writeRaw('\n');
        }
    }

    private void write(Comparison comparison) {
        json.string("schema", SCHEMA);
        json.object("before", comparison.before(), this::side);
        json.object("after", comparison.after(), this::side);
        json.generator.writeBooleanProperty("same", comparison.isSame());
        json.string("summary", DiffHeadline.of(comparison));
        json.objects("findings", comparison.findings(), this::finding);
        json.objects("devices", comparison.devices(), this::device);
        json.objects("settings", comparison.settings(), this::setting);
        json.strings("caveats", comparison.caveats());
    }

    private void side(Side side) {
        AnalysisResult result = side.result();
        json.string("name", side.name());
        json.string("tool_version", result.toolVersion());
        json.strings("inputs", result.inputs().stream().map(InputFile::path).toList());
        json.constant("verdict", result.verdict());
        json.string("reason", Headline.of(result));
    }

    private void finding(FindingChange change) {
        Finding finding = change.finding();
        json.constant("change", change.change());
        json.constant("basis", change.basis());
        json.string("id", finding.id());
        json.constant("kind", finding.kind());
        json.constant("severity", finding.severity());
        json.string("title", finding.title());
        json.object("site", finding.site(), json::site);
        json.number("ratio", change.ratio());
        json.object("before", change.before(), this::figures);
        json.object("after", change.after(), this::figures);
    }

    private void figures(Finding finding) {
        Growth growth = finding.growth();
        json.string("id", finding.id());
        json.number("input", finding.input());
        json.number("device", finding.device());
        json.number("line", finding.site().frame().line());
        json.constant("severity", finding.severity());
        json.number("bytes", finding.bytes());
        json.number("bytes_per_step", growth == null ? Double.NaN : growth.bytesPerStep());
        json.number("low", growth == null ? Double.NaN : growth.lowBytesPerStep());
        json.number("high", growth == null ? Double.NaN : growth.highBytesPerStep());
    }

    private void device(DeviceChange change) {
        json.object("before", change.before(), this::figures);
        json.object("after", change.after(), this::figures);
        json.number("peak_change_bytes", change.peakAfter() - change.peakBefore());
        json.number("sites", change.sites().size());
        List<SiteChange> first =
                change.sites().subList(0, Math.min(top, change.sites().size()));
        json.objects("by_site", first, this::site);
        json.number("unlisted_bytes_before", change.unlistedBefore());
        json.number("unlisted_bytes_after", change.unlistedAfter());
    }

    private void figures(DeviceResult device) {
        json.number("input", device.input());
        json.number("device", device.device());
        json.number("events", device.events());
        json.number("peak_bytes", device.peak().bytes());
        json.number("peak_reserved_bytes", device.peak().reservedBytes());
        json.number("end_bytes", device.endBytes());
        json.number("end_reserved_bytes", device.endReservedBytes());
        json.object("steps", device.steps(), steps -> {
            json.number("count", steps.count());
            json.constant("kind", steps.kind());
            json.string("meaning", steps.meaning());
        });
        json.constant("ring", device.coverage().ring());
        json.number("explained_share", device.coverage().explainedShare());
    }

    private void site(SiteChange site) {
        json.site(site.use().site());
        json.number("change_bytes", site.change());
        json.number("bytes_before", site.bytesBefore());
        json.number("bytes_after", site.bytesAfter());
        line("line_before", site.before());
        line("line_after", site.after());
    }

    private void line(String name, @Nullable SiteUse use) {
        if (use == null) {
            json.generator.writeNullProperty(name);
        } else {
            json.number(name, use.site().frame().line());
        }
    }

    private void setting(SettingChange setting) {
        json.string("name", setting.name());
        value("before", setting.before());
        value("after", setting.after());
    }

    private void value(String name, @Nullable Object value) {
        json.generator.writeName(name);
        if (value == null) {
            json.generator.writeNull();
        } else {
            json.value(value);
        }
    }
}
