package dev.leakline.ps;

import dev.leakline.nvml.GpuDevice;
import dev.leakline.nvml.GpuDevice.Use;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The driver asked by way of the program {@code nvidia-smi}, where {@link dev.leakline.nvml.Nvml} cannot be loaded or does not list processes: it may be that
 * of another system, as under WSL, or talk to a driver whose library is of an age that Leakline does not know.
 *
 * <p>The numbers of processes are those of the outermost PID namespace, sizes are mebibytes, and what the driver does not know is a word
 * in brackets.
 */
final class NvidiaSmi {
    /** A driver that hangs, hangs for ever; one that is only asleep wakes up within seconds (persistence mode is off). */
    private static final Duration LIMIT = Duration.ofSeconds(20);
    /** A machine with 16 GPUs and a thousand processes on each says as much. */
    private static final int MOST_BYTES = 1 << 20;

    private static final String FORMAT = "--format=csv,noheader,nounits";
    private static final List<String> PROGRAMS = List.of("nvidia-smi", "/usr/lib/wsl/lib/nvidia-smi");
    private static final int MOST_NAME = 96;

    private final String program;
    private final Duration limit;

    NvidiaSmi(String program, Duration limit) {
        this.program = program;
        this.limit = limit;
    }

    /** The devices with what processes hold, by the first program that answers; null where there is none. */
    static @Nullable List<GpuDevice> ask() {
        for (String program : PROGRAMS) {
            List<GpuDevice> devices = new NvidiaSmi(program, LIMIT).devices();
            if (devices != null) {
                return devices;
            }
        }
        return null;
    }

    /** The devices, null where the program is not there, fails, takes too long, or says nothing that can be understood. */
    @Nullable
    List<GpuDevice> devices() {
        try {
            List<String> devices = run("--query-gpu=index,uuid,memory.total,memory.used,name");
            Map<String, List<Use>> uses = run("--query-compute-apps=gpu_uuid,pid,used_gpu_memory").stream()
                    .map(line -> fields(line, 3))
                    .collect(Collectors.groupingBy(
                            fields -> fields[0], Collectors.mapping(NvidiaSmi::use, Collectors.toList())));
            return devices.isEmpty()
                    ? null
                    : devices.stream()
                            .map(line -> device(fields(line, 5), uses))
                            .toList();
        } catch (IOException | IllegalArgumentException e) {
            return null;
        }
    }

    private static GpuDevice device(String[] fields, Map<String, List<Use>> uses) {
        return new GpuDevice(
                Integer.parseInt(fields[0]),
                fields[4],
                fields[1],
                Math.max(bytes(fields[2]), 0),
                Math.max(bytes(fields[3]), 0),
                uses.getOrDefault(fields[1], List.of()));
    }

    private static Use use(String[] fields) {
        return new Use(Integer.parseInt(fields[1]), bytes(fields[2]), "Compute");
    }

    private static long bytes(String mebibytes) {
        return mebibytes.startsWith("[") ? Use.UNKNOWN : Math.multiplyExact(Long.parseLong(mebibytes), 1L << 20);
    }

    /** The fields of a line; the last may have commas in it. */
    private static String[] fields(String line, int count) {
        String[] fields = line.strip().split(", *", count);
        if (fields.length < count || fields[0].length() > MOST_NAME) {
            throw new IllegalArgumentException("expected " + count + " fields, found " + line);
        }
        return fields;
    }

    /** The lines that the program says. It gets no input, and is ended where it takes too long or says too much. */
    private List<String> run(String query) throws IOException {
        Process process = new ProcessBuilder(program, query, FORMAT)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        InputStream output = process.getInputStream();
        try {
            process.getOutputStream().close();
            FutureTask<byte[]> read = new FutureTask<>(() -> output.readNBytes(MOST_BYTES));
            Thread.ofPlatform().daemon().name("leakline-nvidia-smi").start(read);
            byte[] said = read.get(limit.toNanos(), TimeUnit.NANOSECONDS);
            if (said.length == MOST_BYTES || !process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new IOException(program + " does not finish");
            }
            if (process.exitValue() != 0) {
                throw new IOException(program + " failed with exit code " + process.exitValue());
            }
            return lines(said);
        } catch (ExecutionException | TimeoutException e) {
            throw new IOException(program + " does not answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            process.destroyForcibly();
            output.close();
        }
    }

    private static List<String> lines(byte[] said) {
        List<String> lines = new ArrayList<>();
        new String(said, StandardCharsets.UTF_8)
                .lines()
                .filter(line -> !line.isBlank())
                .forEach(lines::add);
        return lines;
    }
}
