package dev.leakline.read.dump;

import dev.leakline.testkit.holders.HolderDumpBuilder;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A dump whose form is right, sums included, and whose content is whatever some bytes say: mostly rows that name each other within bounds,
 * so that graphs come out, now and then anything.
 */
public final class MadeUpDump {
    private static final String HEADER = "{\"schema\": \"leakline.holders/1\", \"pid\": 1}";
    private static final List<String> TEXTS = List.of(
            "",
            "_parameters",
            "__dict__",
            "grad",
            "torch.nn",
            "module a",
            "f (a.py:7)",
            "AccumulateGrad",
            "_lru_cache_wrapper",
            "_forward_hooks",
            "\u001b[31m",
            "\n┬ ");

    /** A value that stands for one that no table has. */
    private static final int WILD = 250;

    private final ByteBuffer choices;
    private final ByteArrayOutputStream file = new ByteArrayOutputStream();

    private MadeUpDump(ByteBuffer choices) {
        this.choices = choices;
    }

    /** Takes as many bytes as it needs; where there are none left, they are 0. */
    public static byte[] of(ByteBuffer choices) {
        MadeUpDump dump = new MadeUpDump(choices);
        dump.write();
        return dump.file.toByteArray();
    }

    private void write() {
        int objects = next() % 40;
        int storages = next() % 10;
        int tensors = next() % 20;
        int references = next();
        file.writeBytes("LKLHOLD1".getBytes(StandardCharsets.US_ASCII));
        ints(file, HEADER.length());
        file.writeBytes(HEADER.getBytes(StandardCharsets.US_ASCII));
        section("STRS", 1, bytes -> {
            ints(bytes, TEXTS.size());
            for (String text : TEXTS) {
                byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
                ints(bytes, utf8.length);
                bytes.writeBytes(utf8);
            }
        });
        section("NODE", objects, bytes -> ints(bytes, text(), text(), within(23), count(), count(), within(64)));
        section("TENS", tensors, bytes -> ints(bytes, within(objects), within(storages), text(), text(), text()));
        section("STOR", storages, bytes -> {
            ints(bytes, count(), within(3), next(), within(2), next(), 0);
            ints(bytes, next() << within(24), wild(0), count(), count());
        });
        section("EDGE", references, bytes -> ints(bytes, within(objects), within(objects), text(), within(12)));
        section("DONE", 0, _ -> {});
    }

    private interface Row {
        void write(ByteArrayOutputStream bytes);
    }

    private void section(String tag, int rows, Row row) {
        file.writeBytes(HolderDumpBuilder.section(tag, bytes -> {
            for (int i = 0; i < rows; i++) {
                row.write(bytes);
            }
        }));
    }

    private int next() {
        return choices.hasRemaining() ? choices.get() & 0xff : 0;
    }

    private int text() {
        return within(TEXTS.size());
    }

    /** An index of a table, rarely one beyond it. */
    private int within(int size) {
        int chosen = next();
        return chosen < WILD && size > 0 ? chosen % size : wild(size);
    }

    /** A count, mostly small, or -1 for an unknown one. */
    private int count() {
        return within(6) - 1;
    }

    private int wild(int usual) {
        return switch (next() % 12) {
            case 0 -> Integer.MAX_VALUE;
            case 1 -> Integer.MIN_VALUE;
            case 2 -> -1;
            default -> usual > 0 ? usual - 1 : 0;
        };
    }

    private static void ints(ByteArrayOutputStream bytes, int... values) {
        ByteBuffer buffer = ByteBuffer.allocate(values.length * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        buffer.asIntBuffer().put(values);
        bytes.writeBytes(buffer.array());
    }
}
