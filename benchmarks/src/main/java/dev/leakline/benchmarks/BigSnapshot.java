package dev.leakline.benchmarks;

import dev.leakline.read.Formats;
import dev.leakline.source.Content;
import dev.leakline.source.ReadLimits;
import dev.leakline.testkit.pickle.Dialect;
import dev.leakline.testkit.pickle.ValueStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Makes a large snapshot with real stacks, by repeating a small recording. */
public final class BigSnapshot {
    private static final String SAMPLE = "/train_with_a_leak.pickle.gz";
    private static final String USAGE = """
            Usage: BigSnapshot [--recording FILE] EVENTS OUT.pickle
                   BigSnapshot [--recording FILE] --bytes SIZE OUT.pickle
            Writes a snapshot of exactly so many events, or of at least so many bytes (4.1G; K, M and G are powers of 1024).
            The events are those of FILE, over and over; without --recording, of the sample in examples/.""";

    private static final long MAX_EVENTS = 2_000_000_000;
    private static final Pattern SIZE = Pattern.compile("(\\d+(?:\\.\\d+)?)([KMG]?)");

    private BigSnapshot() {}

    /** The command. */
    public static void main(String[] arguments) {
        try {
            run(new ArrayList<>(List.of(arguments)));
        } catch (IllegalArgumentException e) {
            fail(e.getMessage());
        } catch (IOException e) {
            fail(e.toString());
        }
    }

    private static void run(List<String> arguments) throws IOException {
        String recording = option(arguments, "--recording");
        String bytes = option(arguments, "--bytes");
        if (arguments.size() != (bytes.isEmpty() ? 2 : 1)) {
            throw new IllegalArgumentException("the arguments are wrong\n" + USAGE);
        }
        RepeatableEvents loop = recording.isEmpty() ? sample() : loop(Files.newInputStream(Path.of(recording)));
        long events = bytes.isEmpty() ? parseCount(arguments.getFirst()) : eventsFor(parseSize(bytes), loop);
        write(loop, checked(events), Files.newOutputStream(Path.of(arguments.getLast())));
        System.err.println(events + " events, " + (events - 1) / loop.steps.size() + " whole repetitions of "
                + loop.steps.size() + " events, " + loop.recorded + " of them recorded");
    }

    private static void fail(@Nullable String message) {
        System.err.println("BigSnapshot: " + message);
        System.exit(2);
    }

    private static void write(RepeatableEvents loop, long events, OutputStream file) throws IOException {
        try (ValueStream out = Dialect.PROTOCOL_4.open(file)) {
            new RepeatedSnapshot(loop, out).write(events);
        }
    }

    /** As many events as it takes: whole repetitions, and the recording once more. All repetitions but the first have one size. */
    private static long eventsFor(long bytes, RepeatableEvents loop) throws IOException {
        long period = loop.steps.size();
        long one = bytesOf(loop, period + loop.recorded);
        long repetition = bytesOf(loop, 2 * period + loop.recorded) - one;
        long more = Math.ceilDiv(Math.max(bytes - one, 0), repetition);
        return (1 + more) * period + loop.recorded;
    }

    private static long bytesOf(RepeatableEvents loop, long events) throws IOException {
        CountingOutput counted = new CountingOutput();
        write(loop, events, counted);
        return counted.bytes;
    }

    private static RepeatableEvents sample() throws IOException {
        InputStream sample = BigSnapshot.class.getResourceAsStream(SAMPLE);
        if (sample == null) {
            throw new FileNotFoundException("the sample " + SAMPLE + " is not on the class path");
        }
        return loop(sample);
    }

    private static RepeatableEvents loop(InputStream recording) throws IOException {
        try (recording) {
            return RepeatableEvents.of(
                    ((Content.Recording) new Formats(ReadLimits.DEFAULT, _ -> {}).read(recording)).columns());
        }
    }

    /** Takes an option and its value out of the arguments; empty where it is not among them. */
    private static String option(List<String> arguments, String name) {
        int at = arguments.indexOf(name);
        if (at < 0 || at + 1 == arguments.size()) {
            return "";
        }
        arguments.remove(at);
        return arguments.remove(at);
    }

    private static long parseCount(String text) {
        if (!text.matches("[1-9]\\d{0,17}")) {
            throw new IllegalArgumentException("expected a number of events, found " + text);
        }
        return Long.parseLong(text);
    }

    /** An event's number is an int in columns, and leaves room for a marker or two. */
    private static long checked(long events) {
        if (events > MAX_EVENTS) {
            throw new IllegalArgumentException("expected " + MAX_EVENTS + " events at most, found " + events);
        }
        return events;
    }

    private static long parseSize(String text) {
        Matcher matcher = SIZE.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("expected a size such as 4.1G, found " + text);
        }
        int power = " KMG".indexOf(matcher.group(2).isEmpty() ? " " : matcher.group(2));
        return (long) (Double.parseDouble(matcher.group(1)) * (1L << (10 * power)));
    }

    /** Counts what is written to it. */
    private static final class CountingOutput extends OutputStream {
        private long bytes;

        @Override
        public void write(int one) {
            bytes++;
        }

        @Override
        public void write(byte[] source, int offset, int length) {
            bytes += length;
        }
    }
}
