package dev.leakline.cli;

import dev.leakline.attach.Launch;
import dev.leakline.attach.PrivateFiles;
import dev.leakline.cli.common.Terminal;
import dev.leakline.codec.Codec;
import dev.leakline.columns.ProcessSample;
import dev.leakline.read.samples.SampleLines;
import dev.leakline.result.WatchEvent;
import dev.leakline.result.WatchEvent.State;
import dev.leakline.watch.FlightRecorder;
import dev.leakline.watch.WatchListener;
import dev.leakline.watch.WatchedProcess;
import dev.leakline.watch.Watcher;
import dev.leakline.watch.Webhook;
import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Outputs beside the standard output of a watch: the samples, and alerts. A disk that is full ends neither the watch nor its alerts. */
final class WatchOutputs implements AutoCloseable {
    private final List<WatchListener> listeners = new ArrayList<>();
    private final List<Closeable> closed = new ArrayList<>();
    private @Nullable Recorder samples;

    WatchOutputs(
            @Nullable Path record,
            @Nullable Path alerts,
            @Nullable String command,
            @Nullable Webhook webhook,
            @Nullable FlightRecorder recorder)
            throws IOException {
        if (record != null) {
            appending(record).close();
            samples = new Recorder(record);
            listeners.add(samples);
        }
        if (alerts != null) {
            appending(alerts).close();
            listeners.add(new Alerts(line -> append(alerts, line)));
        }
        if (command != null) {
            listeners.add(new Alerts(line -> run(command, line)));
        }
        add(webhook);
        add(recorder);
    }

    private <T extends WatchListener & Closeable> void add(@Nullable T listener) {
        if (listener != null) {
            listeners.add(listener);
            closed.add(listener);
        }
    }

    /** Tells what does not go as it should, while the watch goes on. */
    static void tell(String trouble) {
        Terminal.err().println("leakline: " + trouble);
    }

    List<WatchListener> listeners() {
        return listeners;
    }

    private static BufferedWriter appending(Path file) throws IOException {
        return new BufferedWriter(new OutputStreamWriter(PrivateFiles.append(file), StandardCharsets.UTF_8));
    }

    private static void append(Path file, String line) throws IOException {
        try (OutputStream out = PrivateFiles.append(file)) {
            out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Starts a command and does not wait for it: the watch goes on. Its output goes where ours goes for errors. */
    private static void run(String command, String line) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", command);
        Launch.restoreLocale(builder);
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
        for (Closeable one : closed) {
            one.close();
        }
    }

    /**
     * Writes samples; those of one moment are on the disk before the next are taken. Where the disk is full they are left out until it no longer is;
     * the line that was torn then ends at the next one that is whole.
     */
    private static final class Recorder implements WatchListener {
        private final Path file;
        private BufferedWriter out;
        private boolean isTold;

        Recorder(Path file) throws IOException {
            this.file = file;
            this.out = appending(file);
        }

        @Override
        public void sampled(WatchedProcess process, ProcessSample sample) {
            attempt(() -> {
                out.write(SampleLines.write(sample));
                out.newLine();
            });
        }

        @Override
        public void looked(Watcher watcher) {
            attempt(() -> {
                out.flush();
                isTold = false;
            });
        }

        private void attempt(Step step) {
            try {
                step.go();
            } catch (IOException e) {
                if (!isTold) {
                    isTold = true;
                    tell(file + ": samples cannot be written: " + e.getMessage() + "; the watch goes on");
                }
                begin();
            }
        }

        /** Replaces the writer, and drops what it has not written. */
        private void begin() {
            try {
                out.close();
            } catch (IOException e) {
                // That is why there has to be another.
            }
            try {
                out = appending(file);
                out.newLine();
            } catch (IOException e) {
                // The next sample will meet it again.
            }
        }

        void close() {
            attempt(out::close);
        }
    }

    /** Something that a disk may have no room for. */
    private interface Step {
        void go() throws IOException;
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
                    tell("the alert could not be delivered: " + e.getMessage());
                }
            }
        }
    }
}
