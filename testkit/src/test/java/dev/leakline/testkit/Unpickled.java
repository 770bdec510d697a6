package dev.leakline.testkit;

import dev.leakline.testkit.pickle.PyTuple;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A plain reader of binary pickles, protocols 1 to 5, that keeps identities: an oracle for tests, written without a
 * look at the writers. Tuples come back as {@link PyTuple}, ints as Long or BigInteger.
 */
public final class Unpickled {
    private record Mark() {}

    private record None() {}

    private final ByteBuffer in;
    private final Deque<Object> stack = new ArrayDeque<>();
    private final Map<Integer, Object> memo = new HashMap<>();

    private Unpickled(byte[] pickle) {
        in = ByteBuffer.wrap(pickle).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** The value in a pickle. */
    public static @Nullable Object of(byte[] pickle) {
        return new Unpickled(pickle).load();
    }

    private @Nullable Object load() {
        int opcode = next();
        while (opcode != '.') {
            step(opcode);
            opcode = next();
        }
        return value(stack.pop());
    }

    private void step(int opcode) {
        switch (opcode) {
            case 0x80 -> next();
            case 0x95 -> in.getLong();
            case '(' -> stack.push(new Mark());
            case ']' -> stack.push(new ArrayList<>());
            case '}' -> stack.push(new LinkedHashMap<>());
            case ')' -> stack.push(PyTuple.of());
            case 'a' -> append(List.of(stack.pop()));
            case 'e' -> append(sinceMark());
            case 's' -> pair();
            case 'u' -> put(sinceMark());
            case 0x85, 0x86, 0x87 -> stack.push(tuple(top(opcode - 0x84)));
            case 't' -> stack.push(tuple(sinceMark()));
            default -> stepMemo(opcode);
        }
    }

    private void stepMemo(int opcode) {
        switch (opcode) {
            case 0x94 -> memo.put(memo.size(), stack.element());
            case 'q' -> memo.put(next(), stack.element());
            case 'r' -> memo.put(in.getInt(), stack.element());
            case 'h' -> stack.push(stored(next()));
            case 'j' -> stack.push(stored(in.getInt()));
            default -> stack.push(scalar(opcode));
        }
    }

    private Object stored(int index) {
        return Objects.requireNonNull(memo.get(index), () -> "nothing stored at " + index);
    }

    private Object scalar(int opcode) {
        return switch (opcode) {
            case 'N' -> new None();
            case 0x88 -> true;
            case 0x89 -> false;
            case 'K' -> (long) next();
            case 'M' -> (long) Short.toUnsignedInt(in.getShort());
            case 'J' -> (long) in.getInt();
            case 0x8a -> integer(next());
            case 'G' -> Double.longBitsToDouble(Long.reverseBytes(in.getLong()));
            case 0x8c -> text(next());
            case 'X' -> text(in.getInt());
            case 'I' -> line().equals("01");
            case 'L' -> Long.valueOf(line().replace("L", ""));
            default -> throw new IllegalArgumentException("opcode 0x" + Integer.toHexString(opcode));
        };
    }

    private int next() {
        return Byte.toUnsignedInt(in.get());
    }

    private byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        in.get(bytes);
        return bytes;
    }

    private String text(int length) {
        return new String(bytes(length), StandardCharsets.UTF_8);
    }

    private String line() {
        StringBuilder line = new StringBuilder();
        for (int c = next(); c != '\n'; c = next()) {
            line.append((char) c);
        }
        return line.toString();
    }

    private Number integer(int width) {
        byte[] little = bytes(width);
        byte[] big = new byte[width];
        for (int i = 0; i < width; i++) {
            big[i] = little[width - 1 - i];
        }
        BigInteger value = width == 0 ? BigInteger.ZERO : new BigInteger(big);
        return value.bitLength() < 64 ? (Number) value.longValue() : value;
    }

    private List<Object> top(int count) {
        List<Object> items = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            items.addFirst(stack.pop());
        }
        return items;
    }

    private List<Object> sinceMark() {
        List<Object> items = new ArrayList<>();
        for (Object item = stack.pop(); !(item instanceof Mark); item = stack.pop()) {
            items.add(item);
        }
        return items.reversed();
    }

    private PyTuple tuple(List<Object> items) {
        return new PyTuple(values(items));
    }

    @SuppressWarnings("unchecked")
    private void append(List<Object> items) {
        ((List<@Nullable Object>) stack.element()).addAll(values(items));
    }

    private void pair() {
        put(top(2));
    }

    @SuppressWarnings("unchecked")
    private void put(List<Object> keysAndValues) {
        Map<String, @Nullable Object> dict = (Map<String, @Nullable Object>) stack.element();
        for (int i = 0; i < keysAndValues.size(); i += 2) {
            dict.put((String) keysAndValues.get(i), value(keysAndValues.get(i + 1)));
        }
    }

    private static List<@Nullable Object> values(List<Object> items) {
        List<@Nullable Object> values = new ArrayList<>();
        items.forEach(item -> values.add(value(item)));
        return values;
    }

    private static @Nullable Object value(Object item) {
        return item instanceof None ? null : item;
    }
}
