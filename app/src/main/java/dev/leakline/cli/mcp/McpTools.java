package dev.leakline.cli.mcp;

import dev.leakline.Input;
import dev.leakline.Input.Demand;
import dev.leakline.InputSource;
import dev.leakline.Sources;
import dev.leakline.attach.Attach;
import dev.leakline.attach.RemoteRecording;
import dev.leakline.attach.linux.Pause;
import dev.leakline.cli.common.InputFiles;
import dev.leakline.cli.common.Inquiry;
import dev.leakline.cli.common.JobRecord;
import dev.leakline.compare.Comparer;
import dev.leakline.lint.Configuration;
import dev.leakline.lint.Lint;
import dev.leakline.lint.LintFinding;
import dev.leakline.lint.LintResult;
import dev.leakline.lint.Recorded;
import dev.leakline.nvml.GpuDevice;
import dev.leakline.ps.GpuProcess;
import dev.leakline.ps.GpuProcesses;
import dev.leakline.report.Given;
import dev.leakline.report.detail.DetailText;
import dev.leakline.report.document.BriefReport;
import dev.leakline.result.Comparison;
import dev.leakline.result.Comparison.Outcome;
import dev.leakline.result.Detail;
import dev.leakline.text.Numbers;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The tools that an agent may call. Each answers in a line of JSON of at most {@value #MOST} bytes; none opens a file outside of the roots. */
final class McpTools {
    /** Bytes of an answer. */
    static final int MOST = 1500;

    private static final String PATHS = "files or folders of one job";
    private static final String PART =
            "finding id, peak, holders, steps, ruled-out, unknown, what-if, FILE.py:LINE, event:N, step:N, address:HEX, stack:N";

    /** Descriptions of the tools for clients; each turn of a conversation pays for them. */
    static final List<Map<String, Object>> DEFINITIONS = List.of(
            tool(
                    "leakline_report",
                    "Does a PyTorch job leak GPU or host memory: line, rate, holder, fix. Reads snapshots, holder dumps, traces,"
                            + " logs, saved reports. With baseline: did the change help.",
                    List.of("paths"),
                    Map.of(
                            "paths",
                            texts(PATHS),
                            "baseline",
                            text("the same before a change"),
                            "source",
                            text("folder of the sources"))),
            tool(
                    "leakline_explain",
                    "What an error message or a log says about memory, and what to do.",
                    List.of("text"),
                    Map.of("text", text("its last lines"))),
            tool(
                    "leakline_detail",
                    "A part of a report, in rows.",
                    List.of("paths", "part"),
                    Map.of("paths", texts(PATHS), "part", text(PART), "cursor", number("first row"))),
            tool(
                    "leakline_lint",
                    "Lines of Python that keep memory, before they run.",
                    List.of("paths"),
                    Map.of("paths", texts("files or folders"), "with", text("recording: what grew comes first"))),
            tool("leakline_ps", "Processes that hold GPU memory here.", List.of(), Map.of()),
            tool(
                    "leakline_attach",
                    "Enters a running Python process, which pauses for seconds: what leaks, who holds it.",
                    List.of("pid"),
                    Map.of("pid", number("process"), "record", number("seconds to record"))));

    /** Their names. */
    static final List<String> NAMES =
            DEFINITIONS.stream().map(tool -> String.valueOf(tool.get("name"))).toList();

    /** The client of a call, as far as it can be asked something while the call runs. */
    interface Client {
        /** A question that the client answers before the call is made once more, as protocols without requests of a server have it. */
        final class Question extends RuntimeException {
            private final transient Map<String, Object> request;

            Question(String key, String method, Map<String, Object> params) {
                super(method, null, false, false);
                this.request = Map.of(key, Map.of("method", method, "params", params));
            }

            /** The question by its name. */
            Map<String, Object> request() {
                return request;
            }
        }

        /** Returns whether it says that it can do something, such as {@code roots}. */
        boolean can(String capability);

        /** Asks it; an empty answer is a refusal. */
        Map<String, Object> ask(String key, String method, Map<String, Object> params);
    }

    /** Cases that are kept, so that a detail costs milliseconds. */
    private static final int CASES = 4;

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration BETWEEN = Duration.ofSeconds(5);
    private static final long EVENTS = 1_000_000;

    private final Map<Object, Inquiry> cases = new LinkedHashMap<>(CASES, 1, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Object, Inquiry> eldest) {
            return size() > CASES;
        }
    };
    private volatile @Nullable List<Path> roots;

    private static Map<String, Object> tool(
            String name, String description, List<String> required, Map<String, Object> properties) {
        boolean isAttach = name.endsWith("attach");
        return Map.of(
                "name",
                name,
                "description",
                description,
                "inputSchema",
                Map.of("type", "object", "properties", properties, "required", required),
                "annotations",
                Map.of("readOnlyHint", !isAttach));
    }

    private static Map<String, Object> text(String description) {
        return Map.of("type", "string", "description", description);
    }

    private static Map<String, Object> texts(String description) {
        return Map.of("type", "array", "items", Map.of("type", "string"), "description", description);
    }

    private static Map<String, Object> number(String description) {
        return Map.of("type", "integer", "description", description);
    }

    /** The answer of a tool; throws {@link IllegalArgumentException} with what to do for arguments that are wrong. */
    String call(String name, Map<String, Object> arguments, Client client) throws IOException {
        List<Path> below = roots(client);
        return switch (name) {
            case "leakline_report" -> report(arguments, below);
            case "leakline_explain" -> explain(needed(arguments, "text"));
            case "leakline_detail" -> detail(arguments, below);
            case "leakline_lint" -> lint(arguments, below);
            case "leakline_ps" -> processes();
            default -> attach(arguments, below, client);
        };
    }

    /** The client's folders may have changed. */
    void forgetRoots() {
        roots = null;
    }

    private String report(Map<String, Object> arguments, List<Path> below) throws IOException {
        Inquiry asked = asked(paths(arguments, below), arguments, below);
        String before = optional(arguments, "baseline");
        if (before == null) {
            return BriefReport.of(asked.result(), asked.given());
        }
        Inquiry was = asked(List.of(path(before, below)), arguments, below);
        Comparison comparison = Comparer.compare(
                new Comparison.Side(before, was.result()),
                new Comparison.Side(String.join(", ", asked.given().files()), asked.result()));
        String next = comparison.outcome() == Outcome.FIXED ? "leakline gate " : "leakline report --format brief ";
        return BriefReport.of(comparison, next + asked.given().names());
    }

    private static String explain(String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        Input input = Input.open(InputSource.of("text", new ByteArrayInputStream(bytes)), Demand.ANYTHING);
        Inquiry asked = Inquiry.of(Given.of(), input);
        return BriefReport.of(asked.result(), asked.given());
    }

    private String detail(Map<String, Object> arguments, List<Path> below) throws IOException {
        Inquiry asked = asked(paths(arguments, below), arguments, below);
        return rows(asked.part(needed(arguments, "part")), whole(arguments, "cursor", 0));
    }

    private static String lint(Map<String, Object> arguments, List<Path> below) throws IOException {
        List<Path> paths = paths(arguments, below);
        LintResult result = Lint.run(paths, Configuration.near(paths.getFirst()), null);
        String recording = optional(arguments, "with");
        if (recording != null) {
            result = Recorded.read(path(recording, below)).rank(result);
        }
        List<Map<String, @Nullable Object>> rows = new ArrayList<>();
        for (LintFinding found : result.findings()) {
            Map<String, @Nullable Object> row = new LinkedHashMap<>();
            row.put("at", found.file() + ":" + found.line());
            row.put("rule", found.rule().id());
            row.put("message", found.message());
            row.put(
                    "patch_safety",
                    found.fix().edits().isEmpty() ? null : found.fix().isSafe() ? "safe" : "review");
            rows.add(row);
        }
        String found = Numbers.counted(rows.size(), "finding") + " in " + Numbers.counted(result.files(), "file");
        String next =
                "leakline lint --diff " + Given.of(paths.getFirst().toString()).names();
        return rows(Detail.of("lint", found, rows).then(next), 0);
    }

    private static String processes() throws IOException {
        GpuProcesses found = GpuProcesses.now();
        List<Map<String, @Nullable Object>> rows = new ArrayList<>();
        for (GpuDevice device : found.devices()) {
            for (GpuDevice.Use use : device.uses()) {
                Map<String, @Nullable Object> row = new LinkedHashMap<>();
                row.put("device", device.index());
                row.put("pid", use.pid());
                row.put("bytes", use.bytes() == GpuDevice.Use.UNKNOWN ? null : use.bytes());
                row.put(
                        "command",
                        found.processes().stream()
                                .filter(process -> process.pid() == use.pid())
                                .map(GpuProcess::command)
                                .findFirst()
                                .orElse("?"));
                rows.add(row);
            }
        }
        return rows(Detail.of("ps", String.join(" ", found.notes()), rows).then("leakline watch PID"), 0);
    }

    private String attach(Map<String, Object> arguments, List<Path> below, Client client) throws IOException {
        int pid = whole(arguments, "pid", -1);
        int seconds = whole(arguments, "record", 0);
        if (pid <= 0 || seconds < 0) {
            throw new IllegalArgumentException("expected a pid, and a number of seconds; leakline_ps lists processes");
        }
        List<String> command = JobRecord.ofProcess(pid);
        if (client.can("elicitation") && !agrees(pid, command, client)) {
            throw new IllegalArgumentException("attaching to process " + pid + " was refused; nothing was done");
        }
        Path folder = below.getFirst().resolve("leakline-" + pid + "-" + System.currentTimeMillis() / 1000);
        Attach.Options options = new Attach.Options(null, null, folder, LIMIT, PATIENCE, Duration.ZERO);
        Consumer<String> quiet = _ -> {};
        if (seconds > 0) {
            RemoteRecording.of(pid, Duration.ofSeconds(seconds), EVENTS, options, quiet);
        } else {
            Attach.to(pid, options, quiet);
            Pause.of(BETWEEN);
            Attach.to(pid, options, quiet);
        }
        JobRecord.write(folder, pid);
        Inquiry asked = asked(List.of(folder), Map.of(), below);
        return BriefReport.of(asked.result(), asked.given());
    }

    private static boolean agrees(int pid, List<String> command, Client client) {
        String question = "Enter process " + pid + " (" + String.join(" ", command) + ")? It pauses for a few seconds.";
        Map<String, Object> schema = Map.of("type", "object", "properties", Map.of());
        Map<String, Object> answer =
                client.ask("attach", "elicitation/create", Map.of("message", question, "requestedSchema", schema));
        return "accept".equals(answer.get("action"));
    }

    private static String rows(Detail detail, int cursor) {
        return DetailText.of(detail.page(Math.max(cursor, 0), Integer.MAX_VALUE), MOST);
    }

    /** A case, read once as long as its files stay as they are. */
    private Inquiry asked(List<Path> paths, Map<String, Object> arguments, List<Path> below) throws IOException {
        String source = optional(arguments, "source");
        List<Object> key = new ArrayList<>(List.of(String.valueOf(source)));
        for (Path path : paths) {
            for (String file : InputFiles.ofCase(path)) {
                key.add(List.of(file, Files.getLastModifiedTime(Path.of(file)), Files.size(Path.of(file))));
            }
        }
        Inquiry known = cases.get(key);
        if (known == null) {
            List<String> files = paths.stream().map(Path::toString).toList();
            known = Inquiry.of(
                    files,
                    source == null ? JobRecord.sourcesBelow(below, files) : Sources.of(List.of(path(source, below))));
            cases.put(key, known);
        }
        return known;
    }

    /** The folders that the client names, with links resolved; the working folder where it names none. */
    private List<Path> roots(Client client) throws IOException {
        List<Path> known = roots;
        if (known != null) {
            return known;
        }
        List<Path> named = new ArrayList<>();
        if (client.can("roots") && client.ask("roots", "roots/list", Map.of()).get("roots") instanceof List<?> list) {
            for (Object root : list) {
                if (root instanceof Map<?, ?> map && map.get("uri") instanceof String uri) {
                    folder(uri, named::add);
                }
            }
        }
        known = named.isEmpty() ? List.of(Path.of("").toRealPath()) : List.copyOf(named);
        roots = known;
        return known;
    }

    private static void folder(String uri, Consumer<Path> to) {
        try {
            to.accept(Path.of(URI.create(uri)).toRealPath());
        } catch (IllegalArgumentException | IOException | FileSystemNotFoundException e) {
            // no folder of this machine
        }
    }

    private static List<Path> paths(Map<String, Object> arguments, List<Path> below) throws IOException {
        Object given = arguments.get("paths");
        List<?> names = given instanceof List<?> list ? list : given instanceof String one ? List.of(one) : List.of();
        if (names.isEmpty()) {
            throw new IllegalArgumentException("expected paths: a list of files or folders");
        }
        List<Path> paths = new ArrayList<>();
        for (Object name : names) {
            paths.add(path(Objects.toString(name), below));
        }
        return paths;
    }

    /** A file or folder below the roots, all of whose files are there as well, links resolved. */
    private static Path path(String name, List<Path> below) throws IOException {
        try {
            Path path = below.getFirst().resolve(name).normalize();
            refuseOutside(path, below);
            if (!Files.exists(path)) {
                throw new IllegalArgumentException("there is no file '" + name + "' below " + below.getFirst()
                        + "; expected a path as it is from there, or an absolute one");
            }
            List<String> files = Files.isDirectory(path) ? InputFiles.ofCase(path) : List.of(path.toString());
            for (String file : files) {
                refuseOutside(Path.of(file).toRealPath(), below);
            }
            return path;
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("'" + name + "' is no path", e);
        }
    }

    private static void refuseOutside(Path path, List<Path> below) {
        if (below.stream().noneMatch(path::startsWith)) {
            throw new IllegalArgumentException(path + " is outside of the roots " + below);
        }
    }

    private static String needed(Map<String, Object> arguments, String name) {
        String text = optional(arguments, name);
        if (text == null) {
            throw new IllegalArgumentException("expected " + name + ": a text");
        }
        return text;
    }

    private static @Nullable String optional(Map<String, Object> arguments, String name) {
        return arguments.get(name) instanceof String text && !text.isBlank() ? text : null;
    }

    private static int whole(Map<String, Object> arguments, String name, int otherwise) {
        return arguments.get(name) instanceof Long number && Math.abs(number) < Integer.MAX_VALUE
                ? number.intValue()
                : otherwise;
    }
}
