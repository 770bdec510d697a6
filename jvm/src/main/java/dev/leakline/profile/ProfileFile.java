package dev.leakline.profile;

import dev.leakline.columns.ProfiledCall;
import dev.leakline.columns.ProfiledCall.Sample;
import dev.leakline.result.Frame;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Profiles in a file, for {@code leakline report} or whoever reads gpumemprof's: JSON, {@code {"results": [...], "snapshots": [...]}}, with
 * bytes and Unix seconds.
 *
 * <p>That shape has a number for everything. Calls that could not be measured are left out; of what the source does not know, as much is
 * said to be reserved and active as is in use, and nothing on the host.
 */
public final class ProfileFile {
    private final JsonGenerator json;
    private final int device;

    private ProfileFile(JsonGenerator json, int device) {
        this.json = json;
        this.device = device;
    }

    /**
     * Writes a file, in place of what was there. It is written beside its place and moved there when it is whole. Throws {@link
     * IOException} where that fails; what was there before is then still there.
     *
     * @param path where to
     * @param results of a profiler, as {@link GpuMemoryProfiler#results} answers them
     * @param samples of a monitor of the same source, as {@link MemoryMonitor#samples} answers them; may be empty
     */
    public static void write(Path path, List<ProfileResult> results, List<MemorySample> samples) throws IOException {
        int device = results.isEmpty() ? 0 : results.getFirst().device();
        Path part = path.resolveSibling("." + path.getFileName() + "."
                + ProcessHandle.current().pid() + "-" + Thread.currentThread().threadId());
        try {
            try (BufferedWriter out =
                            Files.newBufferedWriter(part, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
                    JsonGenerator json = new JsonFactory().createGenerator(ObjectWriteContext.empty(), out)) {
                new ProfileFile(json, device).write(results, samples);
            }
            Files.move(part, path, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(part);
        }
    }

    private void write(List<ProfileResult> results, List<MemorySample> samples) {
        json.writeStartObject();
        json.writeArrayPropertyStart("results");
        results.stream().filter(ProfileResult::isMeasured).forEach(this::result);
        json.writeEndArray();
        json.writeArrayPropertyStart("snapshots");
        samples.forEach(sample -> sample(ProfiledResults.of(sample, device), List.of()));
        json.writeEndArray();
        json.writeEndObject();
    }

    private void result(ProfileResult result) {
        ProfiledCall call = ProfiledResults.of(result);
        json.writeStartObject();
        json.writeStringProperty("function_name", call.function());
        json.writeNumberProperty("execution_time", call.seconds());
        json.writeName("memory_before");
        sample(call.before(), result.stack());
        json.writeName("memory_after");
        sample(call.after(), List.of());
        json.writeName("memory_peak");
        sample(call.peak(), List.of());
        json.writeNumberProperty("memory_allocated", call.allocated());
        json.writeNumberProperty("memory_freed", call.freed());
        json.writeNumberProperty("memory_diff", call.difference());
        json.writeNumberProperty("peak_memory_usage", call.peak().allocated());
        json.writeNumberProperty("tensors_created", call.tensorsCreated());
        json.writeNumberProperty("tensors_deleted", call.tensorsDeleted());
        json.writeNumberProperty("call_count", call.calls());
        json.writeEndObject();
    }

    private void sample(Sample sample, List<Frame> stack) {
        json.writeStartObject();
        json.writeNumberProperty("timestamp", sample.time());
        json.writeNumberProperty("allocated_memory", sample.allocated());
        json.writeNumberProperty("reserved_memory", sample.reserved());
        json.writeNumberProperty("max_memory_allocated", sample.mostAllocated());
        json.writeNumberProperty("max_memory_reserved", sample.mostReserved());
        json.writeNumberProperty("active_memory", sample.active());
        json.writeNumberProperty("inactive_memory", sample.inactive());
        json.writeNumberProperty("cpu_memory", sample.host());
        json.writeNumberProperty("device_id", sample.device());
        json.writeStringProperty("operation", sample.operation());
        json.writeName("stack_trace");
        stack(stack);
        json.writeEndObject();
    }

    /** As Python writes stacks: the innermost frame last. */
    private void stack(List<Frame> stack) {
        if (stack.isEmpty()) {
            json.writeNull();
        } else {
            json.writeString(stack.reversed().stream().map(ProfileFile::line).collect(Collectors.joining()));
        }
    }

    private static String line(Frame frame) {
        return "  File \"" + frame.file() + "\", line " + frame.line() + ", in " + frame.function() + "\n";
    }
}
