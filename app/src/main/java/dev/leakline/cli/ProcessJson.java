package dev.leakline.cli;

import dev.leakline.Analysis;
import dev.leakline.nvml.GpuDevice;
import dev.leakline.nvml.GpuDevice.Use;
import dev.leakline.ps.GpuFinding;
import dev.leakline.ps.GpuProcess;
import dev.leakline.ps.GpuProcesses;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Locale;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** Processes and the memory that they hold, as JSON of the schema {@code leakline.ps/1}; sizes are bytes. */
final class ProcessJson {
    private final JsonGenerator json;

    private ProcessJson(JsonGenerator json) {
        this.json = json;
    }

    static void write(GpuProcesses found, PrintWriter out) {
        StringWriter text = new StringWriter();
        try (JsonGenerator generator = new JsonFactory().createGenerator(ObjectWriteContext.empty(), text)) {
            new ProcessJson(generator).write(found);
        }
        out.println(text);
    }

    private void write(GpuProcesses found) {
        json.writeStartObject();
        json.writeStringProperty("schema", "leakline.ps/1");
        json.writeObjectPropertyStart("tool");
        json.writeStringProperty("name", "leakline");
        json.writeStringProperty("version", Analysis.version());
        json.writeEndObject();
        json.writeArrayPropertyStart("devices");
        found.devices().forEach(this::device);
        json.writeEndArray();
        json.writeArrayPropertyStart("processes");
        found.processes().forEach(this::process);
        json.writeEndArray();
        json.writeArrayPropertyStart("findings");
        found.findings().forEach(this::finding);
        json.writeEndArray();
        json.writeArrayPropertyStart("notes");
        found.notes().forEach(json::writeString);
        json.writeEndArray();
        json.writeBooleanProperty("complete", found.isComplete());
        json.writeEndObject();
    }

    private void device(GpuDevice device) {
        json.writeStartObject();
        json.writeNumberProperty("index", device.index());
        json.writeStringProperty("name", device.name());
        json.writeStringProperty("uuid", device.uuid());
        json.writeNumberProperty("total_bytes", device.total());
        json.writeNumberProperty("used_bytes", device.used());
        json.writeNumberProperty("attributed_bytes", device.attributed());
        json.writeArrayPropertyStart("processes");
        device.uses().forEach(this::use);
        json.writeEndArray();
        json.writeEndObject();
    }

    private void use(Use use) {
        json.writeStartObject();
        json.writeNumberProperty("pid", use.pid());
        bytes(use.bytes());
        json.writeStringProperty("kind", use.kind().toLowerCase(Locale.ROOT));
        json.writeEndObject();
    }

    private void bytes(long bytes) {
        if (bytes == Use.UNKNOWN) {
            json.writeNullProperty("bytes");
        } else {
            json.writeNumberProperty("bytes", bytes);
        }
    }

    private void finding(GpuFinding finding) {
        json.writeStartObject();
        json.writeStringProperty("kind", finding.kind().name().toLowerCase(Locale.ROOT));
        json.writeStringProperty("remedy", finding.remedy());
        json.writeArrayPropertyStart("processes");
        finding.rows().forEach(row -> {
            json.writeStartObject();
            json.writeNumberProperty("pid", row.pid());
            bytes(row.bytes());
            json.writeStringProperty("reason", row.reason());
            json.writeEndObject();
        });
        json.writeEndArray();
        json.writeEndObject();
    }

    private void process(GpuProcess process) {
        json.writeStartObject();
        json.writeNumberProperty("pid", process.pid());
        json.writeNumberProperty("parent", process.parent());
        json.writeStringProperty("user", process.user());
        json.writeStringProperty("name", process.name());
        json.writeStringProperty("command", process.command());
        json.writeStringProperty("role", process.role().name().toLowerCase(Locale.ROOT));
        json.writeNumberProperty("device_files", process.deviceFiles());
        json.writeArrayPropertyStart("device_file_numbers");
        for (int i = 0; i < process.devices().size(); i++) {
            json.writeNumber(process.devices().get(i));
        }
        json.writeEndArray();
        json.writeEndObject();
    }
}
