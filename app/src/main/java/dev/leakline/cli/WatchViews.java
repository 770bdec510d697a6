package dev.leakline.cli;

import dev.leakline.Analysis;
import dev.leakline.cli.common.Terminal;
import dev.leakline.result.WatchEvent;
import dev.leakline.result.WatchEvent.State;
import dev.leakline.watch.HttpSender;
import dev.leakline.watch.LiveSamples;
import dev.leakline.watch.Overview;
import dev.leakline.watch.OverviewMaker;
import dev.leakline.watch.Pods;
import dev.leakline.watch.SampleSource;
import dev.leakline.watch.WatchListener;
import dev.leakline.watch.WatchedProcess;
import dev.leakline.watch.Watcher;
import dev.leakline.watch.ladder.Ladder;
import dev.leakline.watch.metrics.MetricsServer;
import dev.leakline.watch.metrics.OtlpMetrics;
import dev.leakline.watch.screen.TerminalScreen;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Views of a whole watch while it goes on: the screen of a terminal, and the metrics. */
final class WatchViews implements WatchListener, AutoCloseable {
    private static final Pattern ADDRESS = Pattern.compile("(.*):(\\d{1,5})");
    private static final int MOST_PORT = 65_535;
    /** A token that is shorter can be tried out. */
    private static final int LEAST_TOKEN = 16;
    /** Bytes of a file that are read for one: as many as servers take of a header. */
    private static final int MOST_TOKEN = 8192;

    private final @Nullable MetricsServer metrics;
    private final @Nullable OtlpMetrics otlp;
    private final @Nullable TerminalScreen screen;
    private final OverviewMaker maker;
    /** Alerts of processes that ended while the screen was there; they are printed when it has gone. */
    private final List<String> alerts = new ArrayList<>();

    /** Begins to show. */
    WatchViews(
            SampleSource source,
            @Nullable Ladder ladder,
            boolean hasScreen,
            @Nullable String listen,
            @Nullable Path token,
            @Nullable String collector)
            throws IOException {
        if (listen == null && token != null) {
            throw new IllegalArgumentException("--token-file goes with --listen");
        }
        metrics = listen == null ? null : MetricsServer.start(address(listen), token == null ? null : token(token));
        otlp = collector == null ? null : otlp(collector);
        screen = hasScreen ? TerminalScreen.open(Terminal.style(), source::stop, pid -> look(ladder, pid)) : null;
        List<Consumer<Overview>> viewers = new ArrayList<>();
        if (metrics != null) {
            viewers.add(metrics);
        }
        if (otlp != null) {
            viewers.add(otlp);
        }
        if (screen != null) {
            viewers.add(screen);
        }
        maker = new OverviewMaker(viewers, source instanceof LiveSamples ? Pods.ofThisMachine() : null);
    }

    private static OtlpMetrics otlp(String collector) throws IOException {
        return new OtlpMetrics(
                HttpSender.address("--otlp", collector),
                OtlpMetrics.headers(System.getenv("OTEL_EXPORTER_OTLP_HEADERS")),
                InetAddress.getLocalHost().getHostName() + ":"
                        + ProcessHandle.current().pid(),
                Analysis.version(),
                WatchOutputs::tell);
    }

    private static InetSocketAddress address(String text) throws IOException {
        Matcher parts = ADDRESS.matcher(text);
        int port = parts.matches() ? Integer.parseInt(parts.group(2)) : MOST_PORT + 1;
        if (port > MOST_PORT) {
            throw new IllegalArgumentException(
                    "--listen is " + text + "; expected HOST:PORT, or :PORT for this machine alone");
        }
        String host = parts.group(1);
        return new InetSocketAddress(
                host.isEmpty() ? InetAddress.getLoopbackAddress() : InetAddress.getByName(host), port);
    }

    /** The secret in a file. */
    static String token(Path file) throws IOException {
        String token;
        try (InputStream in = Files.newInputStream(file)) { // a device may have no end
            token = new String(in.readNBytes(MOST_TOKEN), StandardCharsets.UTF_8).strip();
        }
        if (token.length() < LEAST_TOKEN) {
            throw new IllegalArgumentException(
                    file + " holds a token of " + token.length() + " characters; expected at least " + LEAST_TOKEN);
        }
        return token;
    }

    private void look(@Nullable Ladder ladder, long pid) {
        if (ladder == null) {
            tell("only processes that run are looked into");
        } else {
            ladder.ask(pid);
            tell("if PID " + pid + " grows, it is looked into; the cause is on its page within some minutes");
        }
    }

    /** Tells what does not go as it should, while the watch goes on. */
    void tell(String trouble) {
        if (screen != null) {
            screen.say("leakline: " + trouble);
        } else {
            WatchOutputs.tell(trouble);
        }
    }

    boolean hasScreen() {
        return screen != null;
    }

    @Override
    public void looked(Watcher watcher) throws IOException {
        maker.looked(watcher);
    }

    @Override
    public void ended(WatchedProcess process, WatchEvent last) {
        maker.ended(process, last);
        if (last.state() == State.FIRING) {
            alerts.add(last.line());
        }
    }

    /** Shows how all stands now that there are no more samples; on a screen until somebody has seen enough. */
    void finish(Watcher watcher, boolean isLive) throws IOException {
        maker.show(watcher);
        if (screen != null) {
            if (!isLive) {
                screen.await();
            }
            screen.close();
            watcher.finish();
            alerts.forEach(Terminal.out()::println);
        }
    }

    @Override
    public void close() {
        if (screen != null) {
            screen.close();
        }
        if (metrics != null) {
            metrics.close();
        }
        if (otlp != null) {
            otlp.close();
        }
    }
}
