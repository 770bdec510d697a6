package dev.leakline.web;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.IntBinaryOperator;
import java.util.function.LongBinaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * Methods of the JDK that TeaVM's classes do not have, or have otherwise: the object is the first parameter, of static methods {@link Static}
 * names the class.
 * What would go on in several threads goes on in one.
 */
public final class Additions {
    /** The class that has a static method. */
    @Retention(RetentionPolicy.RUNTIME)
    public @interface Static {
        Class<?> value();
    }

    /** The class of TeaVM, by the name that it has for programs, of which a method is replaced. */
    @Retention(RetentionPolicy.RUNTIME)
    public @interface Replaced {
        String value();
    }

    private static final double HALF = 0.5;

    private Additions() {}

    /** That of the build, as in the manifest of the jar. */
    public static String getImplementationVersion(Package of) {
        try (InputStream version = Additions.class.getResourceAsStream("version.txt")) {
            return new String(version.readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static Stream<String> lines(String text) {
        List<String> lines = new ArrayList<>();
        int from = 0;
        for (int i = 0; i < text.length(); i++) {
            char next = text.charAt(i);
            if (next == '\n' || next == '\r') {
                lines.add(text.substring(from, i));
                i += next == '\r' && i + 1 < text.length() && text.charAt(i + 1) == '\n' ? 1 : 0;
                from = i + 1;
            }
        }
        if (from < text.length()) {
            lines.add(text.substring(from));
        }
        return lines.stream();
    }

    /** The low bytes of characters, which is all that there is of ASCII. */
    public static void getBytes(String text, int from, int to, byte[] into, int at) {
        for (int i = from; i < to; i++) {
            into[at + i - from] = (byte) text.charAt(i);
        }
    }

    public static int indexOf(String text, int character, int from, int to) {
        int index = text.indexOf(character, from);
        return index < to ? index : -1;
    }

    public static Stream<MatchResult> results(Matcher matcher) {
        List<MatchResult> results = new ArrayList<>();
        matcher.reset();
        while (matcher.find()) {
            results.add(matcher.toMatchResult());
        }
        return results.stream();
    }

    public static Matcher appendReplacement(Matcher matcher, StringBuilder to, String replacement) {
        StringBuffer part = new StringBuffer();
        matcher.appendReplacement(part, replacement);
        to.append(part);
        return matcher;
    }

    public static StringBuilder appendTail(Matcher matcher, StringBuilder to) {
        StringBuffer part = new StringBuffer();
        matcher.appendTail(part);
        return to.append(part);
    }

    public static String replaceAll(Matcher matcher, Function<MatchResult, String> replacement) {
        StringBuilder replaced = new StringBuilder();
        matcher.reset();
        while (matcher.find()) {
            appendReplacement(matcher, replaced, replacement.apply(matcher.toMatchResult()));
        }
        return appendTail(matcher, replaced).toString();
    }

    public static Stream<String> splitAsStream(Pattern pattern, CharSequence text) {
        return Arrays.stream(pattern.split(text));
    }

    /** TeaVM's never ends: it goes on to read nothing. */
    @Replaced("java.io.InputStream")
    public static int readNBytes(InputStream stream, byte[] into, int from, int length) throws IOException {
        int count = 0;
        for (int read = 0; count < length && read >= 0; count += Math.max(read, 0)) {
            read = stream.read(into, from + count, length - count);
        }
        return count;
    }

    @Static(Arrays.class)
    public static void parallelPrefix(int[] values, IntBinaryOperator operator) {
        for (int i = 1; i < values.length; i++) {
            values[i] = operator.applyAsInt(values[i - 1], values[i]);
        }
    }

    @Static(Arrays.class)
    public static void parallelPrefix(long[] values, LongBinaryOperator operator) {
        for (int i = 1; i < values.length; i++) {
            values[i] = operator.applyAsLong(values[i - 1], values[i]);
        }
    }

    @Static(Arrays.class)
    public static int compare(byte[] one, int from, int to, byte[] other, int otherFrom, int otherTo) {
        int length = Math.min(to - from, otherTo - otherFrom);
        for (int i = 0; i < length; i++) {
            int difference = one[from + i] - other[otherFrom + i];
            if (difference != 0) {
                return difference;
            }
        }
        return to - from - (otherTo - otherFrom);
    }

    @Static(Collections.class)
    public static <K, V> SortedMap<K, V> emptySortedMap() {
        return new TreeMap<>();
    }

    @Static(Collections.class)
    public static <K, V> SortedMap<K, V> unmodifiableSortedMap(SortedMap<K, V> map) {
        return map;
    }

    @Static(Math.class)
    public static long multiplyHigh(long one, long other) {
        long oneHigh = one >> 32;
        long oneLow = one & 0xffff_ffffL;
        long otherHigh = other >> 32;
        long otherLow = other & 0xffff_ffffL;
        long middle = oneHigh * otherLow + ((oneLow * otherLow) >>> 32);
        return oneHigh * otherHigh + (middle >> 32) + (((middle & 0xffff_ffffL) + oneLow * otherHigh) >> 32);
    }

    /** The nearest whole number, of two the even one; TeaVM's is the one farther from zero. */
    @Static(Math.class)
    @Replaced("java.lang.Math")
    public static double rint(double value) {
        double below = Math.floor(value);
        double rest = value - below;
        boolean isUp = rest > HALF || (rest == HALF && below % 2 != 0);
        return isUp ? below + 1 : below;
    }

    /** The nearest whole number, of two the higher one; TeaVM's is the one farther from zero. */
    @Static(Math.class)
    @Replaced("java.lang.Math")
    public static long round(double value) {
        double below = Math.floor(value);
        return (long) (value - below < HALF ? below : below + 1);
    }

    @Static(Stream.class)
    public static <T> Stream<T> ofNullable(T value) {
        return value == null ? Stream.empty() : Stream.of(value);
    }

    /** A sum with compensation for what rounding loses, as the JDK's. */
    @Replaced("java.util.stream.doubleimpl.SimpleDoubleStreamImpl")
    public static double sum(DoubleStream of) {
        double plain = 0;
        double high = 0;
        double lost = 0;
        for (double value : of.toArray()) {
            double exact = value - lost;
            double next = high + exact;
            lost = (next - high) - exact;
            high = next;
            plain += value;
        }
        double sum = high - lost;
        return Double.isNaN(sum) && Double.isInfinite(plain) ? plain : sum;
    }

    @Replaced("java.util.stream.doubleimpl.SimpleDoubleStreamImpl")
    public static OptionalDouble average(DoubleStream of) {
        double[] values = of.toArray();
        return values.length == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(Arrays.stream(values).sum() / values.length);
    }

    public static <T> Stream<T> parallelStream(Collection<T> of) {
        return of.stream();
    }

    /** No type of a result has parameters. */
    public static Type[] getGenericInterfaces(Class<?> of) {
        return of.getInterfaces();
    }

    public static Type getGenericSuperclass(Class<?> of) {
        return of.getSuperclass();
    }

    /** Keeps all of it until it is closed. */
    public static OutputStream wrap(Base64.Encoder encoder, OutputStream out) {
        return new ByteArrayOutputStream() {
            @Override
            public void close() throws IOException {
                out.write(encoder.encode(toByteArray()));
                out.close();
            }
        };
    }
}
