package dev.leakline.report;

import dev.leakline.result.AnalysisResult;
import dev.leakline.result.CallTree;
import dev.leakline.result.Coverage;
import dev.leakline.result.DeviceResult;
import dev.leakline.result.DeviceResult.FailedRequest;
import dev.leakline.result.DeviceResult.TimelinePoint;
import dev.leakline.result.Frame;
import dev.leakline.result.InputFile;
import dev.leakline.result.Peak;
import dev.leakline.result.Site;
import dev.leakline.result.SiteUse;
import dev.leakline.result.SiteUse.StackUse;
import java.io.Writer;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.DefaultIndenter;
import tools.jackson.core.util.DefaultPrettyPrinter;

/**
 * A result as JSON, schema {@code leakline.report/1}: names in snake_case, sizes in bytes, times in Unix microseconds. Fields are
 * added in later versions, never renamed or removed.
 */
public final class JsonReport {
    /** The schema that this class writes. */
    public static final String SCHEMA = "leakline.report/1";

    private final JsonGenerator json;

    private final int top;
    private final boolean hasStacks;

    private JsonReport(JsonGenerator json, int top, boolean hasStacks) {
        this.json = json;
        this.top = top;
        this.hasStacks = hasStacks;
    }

    /**
     * Writes a result and flushes, but does not close.
     *
     * @param top sites of a peak, at most
     * @param hasStacks whether each site comes with its stacks
     */
    public static void write(AnalysisResult result, int top, boolean hasStacks, Writer out) {
        JsonFactory factory = new JsonFactory();
        DefaultPrettyPrinter printer = new DefaultPrettyPrinter().withObjectIndenter(new DefaultIndenter("  ", "\n"));
        ObjectWriteContext context = new Indented(printer);
        try (JsonGenerator json = factory.createGenerator(context, new Unclosed(out))) {
            new JsonReport(json, top, hasStacks).write(result);
        }
    }

    private void write(AnalysisResult result) {
        json.writeStartObject();
        json.writeStringProperty("schema", SCHEMA);
        json.writeObjectPropertyStart("tool");
        json.writeStringProperty("name", "leakline");
        json.writeStringProperty("version", result.toolVersion());
        json.writeEndObject();
        array("inputs", result.inputs(), this::write);
        json.writeStringProperty("verdict", lower(result.verdict()));
        json.writeStringProperty("reason", result.reason());
        array("findings", List.of(), (Object _) -> {});
        writeWorst(result.worst());
        json.writeObjectPropertyStart("steps");
        json.writeNumberProperty("count", 0);
        json.writeStringProperty("kind", "not_determined");
        json.writeEndObject();
        array("devices", result.devices(), this::write);
        json.writeName("settings");
        writeSetting(result.settings());
        json.writeEndObject();
        json.writeRaw('\n');
    }

    private void write(InputFile input) {
        json.writeStartObject();
        json.writeStringProperty("path", input.path());
        json.writeStringProperty("kind", input.kind());
        json.writeNumberProperty("bytes", input.bytes());
        json.writeStringProperty("torch", input.torch());
        if (input.incomplete() != null) {
            json.writeStringProperty("incomplete", input.incomplete());
        }
        json.writeEndObject();
    }

    /** The peak and the coverage of the device with the highest peak, once more where readers look first. */
    private void writeWorst(@org.jspecify.annotations.Nullable DeviceResult worst) {
        json.writeName("peak");
        if (worst == null) {
            json.writeNull();
        } else {
            write(worst, worst.peak(), true);
        }
        json.writeName("coverage");
        if (worst == null) {
            json.writeNull();
        } else {
            write(worst, worst.coverage());
        }
    }

    private void write(DeviceResult device) {
        json.writeStartObject();
        json.writeNumberProperty("input", device.input());
        json.writeNumberProperty("device", device.device());
        json.writeNumberProperty("events", device.events());
        json.writeNumberProperty("start_bytes", device.startBytes());
        json.writeNumberProperty("start_requested_bytes", device.startRequestedBytes());
        json.writeNumberProperty("end_bytes", device.endBytes());
        json.writeNumberProperty("end_reserved_bytes", device.endReservedBytes());
        json.writeNumberProperty("peak_requested_bytes", device.peakRequestedBytes());
        json.writeName("peak");
        write(device, device.peak(), false);
        array("timeline", device.timeline(), this::write);
        array("out_of_memory", device.outOfMemory(), this::write);
        json.writeName("coverage");
        write(device, device.coverage());
        json.writeEndObject();
    }

    private void write(DeviceResult device, Peak peak, boolean isSummary) {
        json.writeStartObject();
        if (isSummary) {
            json.writeNumberProperty("input", device.input());
            json.writeNumberProperty("device", device.device());
        }
        json.writeNumberProperty("bytes", peak.bytes());
        json.writeNumberProperty("requested_bytes", peak.requestedBytes());
        json.writeNumberProperty("reserved_bytes", peak.reservedBytes());
        json.writeNumberProperty("event", peak.event());
        writeTime(peak.timeMicros());
        json.writeNumberProperty("sites", peak.sites().size());
        List<SiteUse> first = peak.sites().subList(0, Math.min(top, peak.sites().size()));
        array("by_site", first, use -> write(use, peak.bytes()));
        if (!isSummary) {
            array("by_call", peak.tree(), this::write);
        }
        json.writeEndObject();
    }

    private void write(SiteUse use, long total) {
        json.writeStartObject();
        writeSite(use.site());
        json.writeNumberProperty("bytes", use.bytes());
        json.writeNumberProperty("requested_bytes", use.requestedBytes());
        json.writeNumberProperty("blocks", use.blocks());
        json.writeNumberProperty("share", total == 0 ? 0 : (double) use.bytes() / total);
        if (hasStacks) {
            array("stacks", use.stacks(), this::write);
        }
        json.writeEndObject();
    }

    private void write(StackUse stack) {
        json.writeStartObject();
        json.writeNumberProperty("bytes", stack.bytes());
        json.writeNumberProperty("blocks", stack.blocks());
        array("frames", stack.frames(), this::write);
        json.writeEndObject();
    }

    private void write(Frame frame) {
        json.writeStartObject();
        writeFrame(frame);
        json.writeEndObject();
    }

    private void write(CallTree call) {
        json.writeStartObject();
        writeSite(call.site());
        json.writeNumberProperty("bytes", call.bytes());
        json.writeNumberProperty("blocks", call.blocks());
        array("calls", call.calls(), this::write);
        json.writeEndObject();
    }

    private void writeSite(Site site) {
        json.writeStringProperty("kind", lower(site.kind()));
        writeFrame(site.frame());
    }

    private void writeFrame(Frame frame) {
        json.writeStringProperty("file", frame.file());
        json.writeNumberProperty("line", frame.line());
        json.writeStringProperty("function", frame.function());
    }

    private void write(TimelinePoint point) {
        json.writeStartObject();
        json.writeNumberProperty("event", point.event());
        writeTime(point.timeMicros());
        json.writeNumberProperty("bytes", point.liveBytes());
        json.writeNumberProperty("reserved_bytes", point.reservedBytes());
        json.writeEndObject();
    }

    private void write(FailedRequest failed) {
        json.writeStartObject();
        json.writeNumberProperty("event", failed.event());
        writeTime(failed.timeMicros());
        json.writeNumberProperty("requested_bytes", failed.requestedBytes());
        json.writeNumberProperty("device_free_bytes", failed.deviceFreeBytes());
        json.writeObjectPropertyStart("site");
        writeSite(failed.site());
        json.writeEndObject();
        json.writeEndObject();
    }

    private void write(DeviceResult device, Coverage coverage) {
        json.writeStartObject();
        json.writeNumberProperty("events", device.events());
        json.writeBooleanProperty("has_times", coverage.hasTimes());
        json.writeBooleanProperty("resorted", coverage.isResorted());
        json.writeStringProperty("ring", lower(coverage.ring()));
        json.writeNumberProperty("unknown_frees", coverage.unknownFrees());
        json.writeNumberProperty("unknown_free_bytes", coverage.unknownFreeBytes());
        json.writeNumberProperty("older_live_blocks", coverage.olderLiveBlocks());
        json.writeNumberProperty("older_live_bytes", coverage.olderLiveBytes());
        json.writeNumberProperty("lost_frees", coverage.lostFrees());
        json.writeNumberProperty("live_without_block", coverage.liveWithoutBlock());
        json.writeNumberProperty("end_mismatch_bytes", coverage.endMismatchBytes());
        json.writeNumberProperty("explained_share", coverage.explainedShare());
        json.writeObjectPropertyStart("unused");
        coverage.unused().forEach(json::writeNumberProperty);
        json.writeEndObject();
        json.writeEndObject();
    }

    /** Recordings of torch before 2.2 have no times, which is not the same as 1970. */
    private void writeTime(long micros) {
        json.writeName("time_us");
        if (micros == 0) {
            json.writeNull();
        } else {
            json.writeNumber(micros);
        }
    }

    private void writeSetting(Object value) {
        switch (value) {
            case Map<?, ?> map -> {
                json.writeStartObject();
                map.forEach((key, entry) -> {
                    json.writeName(String.valueOf(key));
                    writeSetting(entry);
                });
                json.writeEndObject();
            }
            case Long number -> json.writeNumber(number);
            case Double number -> json.writeNumber(number);
            case Boolean truth -> json.writeBoolean(truth);
            default -> json.writeString(value.toString());
        }
    }

    private <T> void array(String name, List<T> items, java.util.function.Consumer<T> write) {
        json.writeArrayPropertyStart(name);
        items.forEach(write);
        json.writeEndArray();
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    /** Lets whoever owns the writer close it. */
    private static final class Unclosed extends java.io.FilterWriter {
        Unclosed(Writer out) {
            super(out);
        }

        @Override
        public void write(char[] characters, int offset, int length) throws java.io.IOException {
            out.write(characters, offset, length);
        }

        @Override
        public void close() throws java.io.IOException {
            flush();
        }
    }

    /** Asks for line breaks. */
    private static final class Indented extends ObjectWriteContext.Base {
        private final DefaultPrettyPrinter printer;

        Indented(DefaultPrettyPrinter printer) {
            this.printer = printer;
        }

        @Override
        public tools.jackson.core.PrettyPrinter getPrettyPrinter() {
            return printer;
        }

        @Override
        public boolean hasPrettyPrinter() {
            return true;
        }
    }
}
