package dev.leakline.cli;

import dev.leakline.cli.common.Terminal;
import dev.leakline.codec.Codec;
import dev.leakline.live.ProcessSample;
import dev.leakline.live.SampleLines;
import dev.leakline.result.WatchEvent;
import dev.leakline.result.WatchEvent.State;
import dev.leakline.watch.WatchListener;
import dev.leakline.watch.WatchedProcess;
import dev.leakline.watch.Watcher;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a watch writes beside its output: the samples, and alerts. A disk that is full ends neither the watch nor its alerts. */
final class WatchOutputs implements AutoCloseable {
    private final List<WatchListener> listeners = new ArrayList<>();
    private @Nullable BufferedWriter samples;

    WatchOutputs(@Nullable Path record, @Nullable Path alerts, @Nullable String command) throws IOException {
        if (record != null) {
            samples = appending(record);
            listeners.add(new Recorder(samples));
        }
        if (alerts != null) {
            appending(alerts).close();
            listeners.add(new Alerts(line -> append(alerts, line)));
        }
        if (command != null) {
            listeners.add(new Alerts(line -> run(command, line)));
        }
    }

    List<WatchListener> listeners() {
        return listeners;
    }

    private static BufferedWriter appending(Path file) throws IOException {
        return Files.newBufferedWriter(
                file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
    }

    private static void append(Path file, String line) throws IOException {
        Files.writeString(file, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    /** Starts a command and does not wait for it: the watch goes on. Its output goes where ours goes for errors. */
    private static void run(String command, String line) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", command);
        builder.redirectOutput(ProcessBuilder.Redirect.DISCARD).redirectError(ProcessBuilder.Redirect.INHERIT);
        Process process = builder.start();
        try (var in = process.outputWriter()) {
            in.write(line + "\n");
        } catch (IOException e) {
            // It does not read its input, which is its own affair.
        }
    }

    @Override
    public void close() throws IOException {
        if (samples != null) {
            samples.close();
        }
    }

    /** Writes samples; those of one moment are on the disk before the next are taken. */
    private record Recorder(BufferedWriter out) implements WatchListener {
        @Override
        public void sampled(WatchedProcess process, ProcessSample sample) throws IOException {
            out.write(SampleLines.write(sample));
            out.newLine();
        }

        @Override
        public void looked(Watcher watcher) throws IOException {
            out.flush();
        }
    }

    /** Takes the line of an alert somewhere. */
    private interface Sink {
        void take(String line) throws IOException;
    }

    /** Hands on events that begin or end an alert; a failure is told and the watch goes on. */
    private record Alerts(Sink sink) implements WatchListener {
        @Override
        public void changed(WatchedProcess process, WatchEvent event) {
            if (event.state() == State.FIRING || event.state() == State.RESOLVED) {
                try {
                    sink.take(Codec.line(event));
                } catch (IOException e) {
                    Terminal.err().println("leakline: the alert could not be delivered: " + e.getMessage());
                }
            }
        }
    }
}
