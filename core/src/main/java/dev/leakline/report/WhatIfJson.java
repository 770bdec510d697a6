package dev.leakline.report;

import dev.leakline.result.WhatIf;
import dev.leakline.result.WhatIf.Credibility;
import dev.leakline.result.WhatIf.Failure;
import dev.leakline.result.WhatIf.Outcome;
import dev.leakline.result.WhatIf.Recommendation;
import java.io.Writer;

/**
 * Replays as JSON, schema {@code leakline.whatif/1}: names in snake_case, sizes in bytes, null for what is not known. Fields are added in
 * later versions, never renamed or removed.
 */
public final class WhatIfJson {
    /** The schema that this class writes. */
    public static final String SCHEMA = "leakline.whatif/1";

    private final Json json;

    private WhatIfJson(Json json) {
        this.json = json;
    }

    /** Writes replays and flushes, but does not close. */
    public static void write(WhatIf whatIf, Writer out) {
        try (Json json = Json.indented(out)) {
            json.generator.writeStartObject();
            new WhatIfJson(json).write(whatIf);
            json.generator.writeEndObject();
            json.generator.writeRaw('\n');
        }
    }

    private void write(WhatIf whatIf) {
        json.string("schema", SCHEMA);
        json.tool(whatIf.toolVersion());
        json.objects("inputs", whatIf.inputs(), json::input);
        json.objects("devices", whatIf.devices(), this::device);
    }

    private void device(WhatIf.Device device) {
        json.number("input", device.input());
        json.number("device", device.device());
        if (device.memory() > 0) {
            json.number("memory_bytes", device.memory());
        } else {
            json.generator.writeNullProperty("memory_bytes");
        }
        json.constant("memory_source", device.memorySource());
        json.generator.writeBooleanProperty("from_start", device.isFromStart());
        json.object("credibility", device.credibility(), this::credibility);
        json.object("recorded", device.recorded(), this::outcome);
        json.objects("others", device.others(), this::outcome);
        json.object("recommendation", device.recommendation(), this::recommendation);
        json.string("reason", device.reason());
    }

    private void credibility(Credibility credibility) {
        json.number("recorded_driver_events", credibility.recorded());
        json.number("predicted_driver_events", credibility.predicted());
        json.number("matching_driver_events", credibility.matching());
        json.number("share", credibility.share());
        json.number("recorded_peak_reserved_bytes", credibility.recordedPeakBytes());
    }

    private void outcome(Outcome outcome) {
        json.string("settings", outcome.settings());
        json.number("peak_reserved_bytes", outcome.peakReservedBytes());
        json.number("peak_bytes", outcome.peakHeldBytes());
        json.number("driver_calls", outcome.driverCalls());
        json.number("releases", outcome.releases());
        json.number("retries", outcome.retries());
        json.object("failure", outcome.failure(), this::failure);
    }

    private void failure(Failure failure) {
        json.number("event", failure.event());
        json.number("requested_bytes", failure.requestedBytes());
        json.object("site", failure.site(), json::site);
        json.generator.writeBooleanProperty("recorded", failure.wasRecorded());
    }

    private void recommendation(Recommendation recommendation) {
        json.string("settings", recommendation.settings());
        json.number("saved_bytes", recommendation.savedBytes());
    }
}
