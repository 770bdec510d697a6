package dev.leakline.report.export;

import dev.leakline.result.Frame;
import dev.leakline.result.RecordedProfile;
import dev.leakline.result.RecordedProfile.Amount;
import dev.leakline.result.RecordedProfile.StackTotals;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

/**
 * A profile as pprof reads it: gzip around the message Profile of profile.proto. Of each stack it has what was live at the peak and at the end, and
 * all that was allocated; a label tells the device.
 *
 * <p>The two kinds of fields that it is made of, numbers and what has a length, are written here: protobuf's own runtime is a megabyte for that, and
 * warns on each start of JDK 25 that it uses Unsafe.
 */
public final class Pprof {
    private static final List<String> MEASURES =
            List.of("peak_space", "peak_objects", "inuse_space", "inuse_objects", "alloc_space", "alloc_objects");

    /** Fields of Profile. */
    private static final int SAMPLE_TYPE = 1;

    private static final int SAMPLE = 2;
    private static final int LOCATION = 4;
    private static final int FUNCTION = 5;
    private static final int STRING = 6;
    private static final int TIME_NANOS = 9;
    private static final int DURATION_NANOS = 10;
    private static final int COMMENT = 13;
    private static final int DEFAULT_SAMPLE_TYPE = 14;

    private final Message profile = new Message();
    private final Map<String, Long> strings = new LinkedHashMap<>();
    private final Map<Frame, Long> locations = new LinkedHashMap<>();
    private final Map<List<String>, Long> functions = new LinkedHashMap<>();

    private Pprof() {
        string("");
    }

    /** Writes the profile of a recording's devices, and closes nothing. */
    public static void write(List<RecordedProfile> devices, String comment, OutputStream out) throws IOException {
        Pprof pprof = new Pprof();
        pprof.measures();
        devices.forEach(pprof::add);
        pprof.times(devices);
        pprof.profile.number(COMMENT, pprof.string(comment));
        pprof.strings.keySet().forEach(text -> pprof.profile.text(STRING, text));
        GZIPOutputStream gzip = new GZIPOutputStream(out);
        gzip.write(pprof.profile.bytes());
        gzip.finish();
    }

    private void measures() {
        for (String measure : MEASURES) {
            String unit = measure.endsWith("space") ? "bytes" : "count";
            profile.message(
                    SAMPLE_TYPE, new Message().number(1, string(measure)).number(2, string(unit)));
        }
        profile.number(DEFAULT_SAMPLE_TYPE, string(MEASURES.getFirst()));
    }

    private void add(RecordedProfile device) {
        Message label = new Message().number(1, string("device")).number(2, string(device.name()));
        for (StackTotals stack : device.stacks()) {
            Message sample = new Message()
                    .numbers(1, stack.frames().stream().mapToLong(this::location))
                    .numbers(
                            2,
                            Stream.of(stack.peak(), stack.end(), stack.allocated())
                                    .flatMapToLong(Pprof::values));
            profile.message(SAMPLE, sample.message(3, label));
        }
    }

    private static LongStream values(Amount amount) {
        return LongStream.of(amount.bytes(), amount.blocks());
    }

    private void times(List<RecordedProfile> devices) {
        devices.stream()
                .filter(device -> device.hasTimes() && !device.curve().isEmpty())
                .findFirst()
                .ifPresent(device -> {
                    long from = device.curve().getFirst().time();
                    profile.number(TIME_NANOS, from * 1000);
                    profile.number(DURATION_NANOS, (device.curve().getLast().time() - from) * 1000);
                });
    }

    private long location(Frame frame) {
        Long known = locations.get(frame);
        if (known != null) {
            return known;
        }
        long id = locations.size() + 1L;
        locations.put(frame, id);
        Message line = new Message().number(1, function(frame)).number(2, frame.line());
        profile.message(LOCATION, new Message().number(1, id).message(4, line));
        return id;
    }

    private long function(Frame frame) {
        List<String> key = List.of(frame.function(), frame.file());
        Long known = functions.get(key);
        if (known != null) {
            return known;
        }
        long id = functions.size() + 1L;
        functions.put(key, id);
        long name = string(frame.function());
        profile.message(
                FUNCTION,
                new Message().number(1, id).number(2, name).number(3, name).number(4, string(frame.file())));
        return id;
    }

    private long string(String text) {
        return strings.computeIfAbsent(text, _ -> (long) strings.size());
    }

    /** A message of Protocol Buffers while it is written. */
    private static final class Message {
        private static final int VARINT = 0;
        private static final int LENGTH = 2;

        private final ByteArrayOutputStream out = new ByteArrayOutputStream();

        Message number(int field, long value) {
            varint(((long) field << 3) | VARINT);
            varint(value);
            return this;
        }

        /** Numbers in one field, packed. */
        Message numbers(int field, LongStream values) {
            Message packed = new Message();
            values.forEach(packed::varint);
            return message(field, packed);
        }

        Message text(int field, String text) {
            return lengthy(field, text.getBytes(StandardCharsets.UTF_8));
        }

        Message message(int field, Message other) {
            return lengthy(field, other.bytes());
        }

        private Message lengthy(int field, byte[] bytes) {
            varint(((long) field << 3) | LENGTH);
            varint(bytes.length);
            out.writeBytes(bytes);
            return this;
        }

        /** Seven bits a byte, the lowest first; the eighth says that more follow. */
        private void varint(long value) {
            long rest = value;
            while ((rest & ~0x7fL) != 0) {
                out.write((int) (rest & 0x7f) | 0x80);
                rest >>>= 7;
            }
            out.write((int) rest);
        }

        byte[] bytes() {
            return out.toByteArray();
        }
    }
}
