package dev.leakline.cli;

import dev.leakline.attach.linux.LiveException;
import dev.leakline.cli.common.Commands;
import dev.leakline.cli.common.Failures;
import dev.leakline.cli.common.ReportOptions;
import dev.leakline.cli.common.Terminal;
import dev.leakline.columns.ProcessSample;
import dev.leakline.live.ProcessJudge;
import dev.leakline.result.WatchEvent;
import dev.leakline.result.WatchEvent.State;
import dev.leakline.watch.FlightRecorder;
import dev.leakline.watch.HttpSender;
import dev.leakline.watch.LiveSamples;
import dev.leakline.watch.ReplayedSamples;
import dev.leakline.watch.SampleSource;
import dev.leakline.watch.WatchListener;
import dev.leakline.watch.WatchedProcess;
import dev.leakline.watch.Watcher;
import dev.leakline.watch.Webhook;
import dev.leakline.watch.ladder.AttachedLooks;
import dev.leakline.watch.ladder.Ladder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** {@code leakline watch}: judges processes while they run, or as samples of them were recorded. */
final class WatchCommand implements Callable<Integer> {
    private static final double MILLIS = 1000;
    private static final double LEAST_INTERVAL = 0.1;
    /** Samples of a look that is to end with a judgement: those that it needs, and some more. */
    private static final double ENOUGH = 1.5 * ProcessJudge.ENOUGH;

    private static final Pattern TIME = Pattern.compile("(\\d{1,6})([smh])");

    private final OptionSpec replay =
            file("--replay", "Judge the samples of FILE, one JSON object a line, instead of this machine's.");
    private final OptionSpec record = file("--record", "Append the samples to FILE, for --replay.");
    private final OptionSpec alerts =
            file("--alert-file", "Append an event to FILE whenever an alert begins or is resolved.");
    private final OptionSpec command = OptionSpec.builder("--on-alert")
            .type(String.class)
            .paramLabel("COMMAND")
            .description(
                    "Run COMMAND with sh whenever an alert begins or is resolved; its standard input is the event as JSON.")
            .build();
    private final OptionSpec format = OptionSpec.builder("--format")
            .type(Format.class)
            .paramLabel("text|jsonl")
            .defaultValue("text")
            .description("Output format (default: text).")
            .build();
    private final OptionSpec once = Commands.flag("--once", "Print the state of each process once, and exit.");
    private final OptionSpec until = OptionSpec.builder("--until")
            .type(Until.class)
            .paramLabel("leak")
            .description("Exit with 1 as soon as an alert fires.")
            .build();
    private final OptionSpec interval = OptionSpec.builder("--interval")
            .type(double.class)
            .paramLabel("SECONDS")
            .defaultValue("1")
            .description("Time between two samples (default: 1).")
            .build();
    private final OptionSpec listen = OptionSpec.builder("--listen")
            .type(String.class)
            .paramLabel("HOST:PORT")
            .description("Serve metrics at http://HOST:PORT/metrics as OpenMetrics; :9461 serves this machine only.")
            .build();
    private final OptionSpec token = file(
            "--token-file",
            "Serve metrics only to those who send the token in FILE; needed if other machines can connect.");
    private final OptionSpec webhook = text(
            "--webhook",
            "URL",
            "Post an event to URL, as JSON, whenever an alert begins, its cause is found, or it is resolved.");
    private final OptionSpec secret =
            file("--webhook-secret-file", "Sign posts (HMAC-SHA256) with the secret in FILE; see docs/watch.md.");
    private final OptionSpec otlp = text(
            "--otlp",
            "URL",
            "Post metrics to a collector of OpenTelemetry once a minute, such as http://localhost:4318.");
    private final OptionSpec recorder = OptionSpec.builder("--flight-recorder")
            .type(Path.class)
            .paramLabel("DIR")
            .description("Keep the newest samples of each process in DIR, for leakline report DIR after a crash.")
            .build();
    private final OptionSpec budget = OptionSpec.builder("--flight-budget")
            .type(long.class)
            .converters(new ReportOptions.SizeConverter())
            .paramLabel("SIZE")
            .defaultValue("4MiB")
            .description("Disk space of the flight recorder per process (default: 4MiB, about seven hours).")
            .build();
    private final OptionSpec length =
            text("--for", "TIME", "End after TIME, such as 60s or 10m; with --once, sample for TIME before judging.");
    private final OptionSpec deep = Commands.flag(
            "--deep",
            "Attach to processes that leak, find what keeps the memory, record " + Ladder.RECORDING.toSeconds()
                    + " s of allocations, and report the line.");
    private final PositionalParamSpec pids = PositionalParamSpec.builder()
            .type(List.class)
            .auxiliaryTypes(Long.class)
            .paramLabel("PID")
            .arity("0..*")
            .description("Processes to watch (default: all that hold GPU memory).")
            .build();

    /** Forms of the output. */
    private enum Format {
        /** Lines for people. */
        TEXT,
        /** Events, a JSON object a line. */
        JSONL
    }

    /** Events that end the watch. */
    private enum Until {
        /** An alert. */
        LEAK
    }

    /** The receiver of lines about failures. */
    private Consumer<String> trouble = WatchOutputs::tell;

    /** True if there was a process to judge. */
    private boolean hasSeen;

    /** The command as the command line sees it. */
    CommandSpec spec() {
        CommandSpec spec = Commands.spec(
                this,
                "watch",
                "Watches processes while they run: whether they leak, how fast, and when memory is full.",
                "Needs no change to them, no restart, and no privileges.");
        List.of(
                        replay, record, recorder, budget, format, once, length, until, interval, deep, command, alerts,
                        webhook, secret, listen, token, otlp)
                .forEach(spec::addOption);
        spec.addPositional(pids);
        return spec;
    }

    private static OptionSpec text(String name, String label, String description) {
        return OptionSpec.builder(name)
                .type(String.class)
                .paramLabel(label)
                .description(description)
                .build();
    }

    private static OptionSpec file(String name, String description) {
        return OptionSpec.builder(name)
                .type(Path.class)
                .paramLabel("FILE")
                .description(description)
                .build();
    }

    @Override
    public Integer call() throws IOException {
        UntilLeak leak = new UntilLeak();
        try (SampleSource source = source();
                WatchOutputs outputs = new WatchOutputs(
                        record.getValue(), alerts.getValue(), command.getValue(), webhook(), flightRecorder());
                Ladder ladder = ladder(source);
                WatchViews views = new WatchViews(
                        source, ladder, hasScreen(), listen.getValue(), token.getValue(), otlp.getValue())) {
            trouble = views::tell;
            List<WatchListener> listeners = new ArrayList<>(outputs.listeners());
            listeners.add(leak);
            listeners.add(views);
            if (ladder != null) {
                listeners.add(ladder);
            }
            if (!views.hasScreen()) {
                listeners.add(
                        format.getValue() == Format.JSONL
                                ? new WatchJson()
                                : new WatchText(source instanceof LiveSamples, once.<Boolean>getValue()));
            }
            Watcher watcher = new Watcher(listeners);
            watch(source, watcher, () -> isFound(leak) && (ladder == null || !ladder.isClimbing()));
            if (!hasSeen) {
                throw new LiveException(
                        replay.getValue() == null ? "no process was seen" : replay.getValue() + " has no samples",
                        "leakline watch without arguments takes all processes that hold GPU memory");
            }
            views.finish(watcher, source instanceof LiveSamples || isFound(leak));
            watcher.finish();
        }
        Terminal.out().flush();
        return isFound(leak) ? Failures.FOUND : 0;
    }

    private @Nullable Webhook webhook() throws IOException {
        Path file = secret.getValue();
        String address = webhook.getValue();
        if (address == null && file != null) {
            throw new IllegalArgumentException("--webhook-secret-file goes with --webhook");
        }
        return address == null
                ? null
                : new Webhook(
                        HttpSender.address("--webhook", address),
                        file == null ? null : WatchViews.token(file),
                        HttpSender.Retries.PATIENT,
                        WatchOutputs::tell);
    }

    private @Nullable FlightRecorder flightRecorder() throws IOException {
        Path folder = recorder.getValue();
        return folder == null ? null : new FlightRecorder(folder, budget.<Long>getValue(), WatchOutputs::tell);
    }

    private @Nullable Ladder ladder(SampleSource source) {
        boolean isUnasked = deep.<Boolean>getValue();
        if (isUnasked && replay.getValue() != null) {
            throw new IllegalArgumentException("--deep looks into processes that run, not into --replay");
        }
        if (replay.getValue() != null || (!isUnasked && !hasScreen())) {
            return null;
        }
        Path folder = recorder.getValue();
        return new Ladder(
                new AttachedLooks(folder == null ? Path.of("leakline-watch") : folder, source::stop),
                isUnasked,
                line -> trouble.accept(line));
    }

    private boolean isFound(UntilLeak leak) {
        return until.getValue() != null && leak.isFound;
    }

    /** Returns whether the terminal becomes a screen: where it is one, nobody wants lines, and keys are not samples. */
    private boolean hasScreen() {
        Path file = replay.getValue();
        boolean isOnStdin = file != null && file.toString().equals("-");
        return Terminal.isTerminal("stdout")
                && !"dumb".equals(System.getenv("TERM"))
                && format.getValue() == Format.TEXT
                && !(boolean) once.getValue()
                && !isOnStdin;
    }

    /** Goes on until the samples end, what was waited for is there, or, where processes were named, all of them are gone. */
    private void watch(SampleSource source, Watcher watcher, BooleanSupplier isEnough) throws IOException {
        boolean isLive = source instanceof LiveSamples;
        long end = length.getValue() == null
                ? Long.MAX_VALUE
                : System.nanoTime() + time(length.getValue()).toNanos();
        boolean isOver = false;
        while (!isOver) {
            List<ProcessSample> samples = source.next();
            if (samples == null) {
                return;
            }
            hasSeen |= !samples.isEmpty();
            watcher.look(samples, isLive);
            boolean areGone = isLive && samples.isEmpty() && pids.getValue() != null;
            boolean isOnce = once.<Boolean>getValue() && length.getValue() == null;
            isOver = areGone || (isLive && (isOnce || System.nanoTime() >= end)) || isEnough.getAsBoolean();
        }
    }

    private SampleSource source() throws IOException {
        Path file = replay.getValue();
        if (file != null) {
            return new ReplayedSamples(file.toString().equals("-") ? System.in : Files.newInputStream(file));
        }
        double seconds = interval.getValue();
        if (!(seconds >= LEAST_INTERVAL)) {
            throw new IllegalArgumentException("--interval is " + seconds + "; expected at least 0.1 seconds");
        }
        if (once.<Boolean>getValue() && length.getValue() != null) {
            double often = time(length.getValue()).toMillis() / MILLIS / ENOUGH;
            seconds = Math.clamp(often, LEAST_INTERVAL, seconds);
        }
        LiveSamples samples = new LiveSamples(pidsToWatch(), Duration.ofMillis(Math.round(seconds * MILLIS)));
        if (!samples.hasDriver() && pidsToWatch().isEmpty()) {
            throw new LiveException(
                    "this machine has no NVIDIA driver: there is no libnvidia-ml.so.1",
                    "name the processes to watch their host memory, or run leakline watch where the GPUs are");
        }
        samples.stopAtExit();
        return samples;
    }

    private static Duration time(String text) {
        Matcher time = TIME.matcher(text);
        if (!time.matches()) {
            throw new IllegalArgumentException("--for " + text + ": expected a time such as 60s, 10m or 8h");
        }
        long count = Long.parseLong(time.group(1));
        return switch (time.group(2)) {
            case "s" -> Duration.ofSeconds(count);
            case "m" -> Duration.ofMinutes(count);
            default -> Duration.ofHours(count);
        };
    }

    private Set<Long> pidsToWatch() {
        List<Long> given = pids.getValue();
        return given == null ? Set.of() : new HashSet<>(given);
    }

    /** Notices the first alert. */
    private static final class UntilLeak implements WatchListener {
        private boolean isFound;

        @Override
        public void changed(WatchedProcess process, WatchEvent event) {
            isFound |= event.state() == State.FIRING;
        }
    }
}
