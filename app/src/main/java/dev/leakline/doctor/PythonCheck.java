package dev.leakline.doctor;

import dev.leakline.known.KnownLeak;
import dev.leakline.result.DoctorReport.Check;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Asks a Python what it has: its version, torch, devices, whether allocations can be recorded, settings of the allocator. */
final class PythonCheck {
    /** To import torch takes seconds, and a minute from a cold network disk. */
    private static final int LIMIT_SECONDS = 120;

    private static final int MOST_BYTES = 1 << 16;

    /** A line {@code name=value} for each thing known; torch is imported last, as that may fail in any way. */
    private static final String QUESTION = """
            import os, sys
            def say(name, value): print(name + '=' + str(value).replace('\\n', ' '), flush=True)
            say('python', sys.version.split()[0] + ' (' + sys.executable + ')')
            for name in sorted(os.environ):
                if name.startswith('PYTORCH_') and name.endswith(('ALLOC_CONF', 'MEMORY_CACHING', 'RATIO')):
                    say('setting', name + '=' + os.environ[name])
            import importlib.metadata
            for name in %s:
                try:
                    say(name, importlib.metadata.version(name))
                except Exception:
                    pass
            try:
                import torch
            except ImportError as e:
                say('error', e)
                raise SystemExit
            say('torch', torch.__version__)
            say('cuda', getattr(torch.version, 'hip', None) or torch.version.cuda or '')
            say('devices', torch.cuda.device_count() if torch.cuda.is_available() else 0)
            memory = getattr(torch.cuda, 'memory', None)
            say('history', hasattr(memory, '_record_memory_history'))
            """.formatted(KnownLeak.all().stream()
            .map(leak -> "'" + leak.library() + "'")
            .filter(name -> !name.equals("'torch'"))
            .collect(Collectors.joining(", ", "{", "}")));

    private final Map<String, String> said = new HashMap<>();
    private final List<String> settings = new ArrayList<>();

    private PythonCheck() {}

    /** Checks of a Python by its own answers. */
    static List<Check> of(String python) {
        PythonCheck check = new PythonCheck();
        String failure = check.ask(python);
        return failure == null ? check.checks() : List.of(none(python, failure));
    }

    private static Check none(String python, String failure) {
        return Check.missing(
                "python",
                python + " " + failure,
                "name the Python of the job: leakline doctor --python PATH; reading recordings and logs needs none");
    }

    /** Fills in what was said; answers why nothing was, or null. */
    private @Nullable String ask(String python) {
        try {
            Process process = new ProcessBuilder(python, "-c", QUESTION)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            process.getOutputStream().close();
            try (InputStream output = process.getInputStream()) {
                FutureTask<byte[]> read = new FutureTask<>(() -> output.readNBytes(MOST_BYTES));
                Thread.ofPlatform().daemon().name("leakline-doctor").start(read);
                take(new String(read.get(LIMIT_SECONDS, TimeUnit.SECONDS), StandardCharsets.UTF_8));
                return said.containsKey("python") ? null : "does not run";
            } finally {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            return "was not found";
        } catch (ExecutionException | TimeoutException e) {
            return "does not answer";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "was interrupted";
        }
    }

    private void take(String output) {
        output.lines().forEach(line -> {
            int equals = line.indexOf('=');
            if (line.startsWith("setting=")) {
                settings.add(line.substring(equals + 1));
            } else if (equals > 0) {
                said.putIfAbsent(line.substring(0, equals), line.substring(equals + 1));
            }
        });
    }

    private List<Check> checks() {
        List<Check> checks = new ArrayList<>();
        checks.add(Check.ok("python", "Python " + said.get("python")));
        checks.add(torch());
        if (said.containsKey("torch")) {
            checks.add(history());
        }
        if (!settings.isEmpty()) {
            checks.add(settings());
        }
        KnownLeak.all().stream()
                .filter(leak -> !leak.bound().isEmpty() && said.containsKey(leak.library()))
                .filter(leak -> leak.isIn(said.getOrDefault(leak.library(), "")))
                .map(leak -> Check.limited("known leak", leak.words(), leak.fixed() + " " + leak.link()))
                .forEach(checks::add);
        return checks;
    }

    private Check torch() {
        String torch = said.get("torch");
        if (torch == null) {
            String why = said.getOrDefault("error", "importing it ended Python");
            return Check.missing(
                    "torch",
                    "no torch: " + why,
                    why.contains("No module named 'torch'")
                            ? "name the Python of the job with --python PATH"
                            : "mend this installation: pip install --force-reinstall torch, or the library that it names");
        }
        String build = said.getOrDefault("cuda", "");
        String says = "torch " + torch + (build.isEmpty() ? ", built without CUDA" : ", CUDA or ROCm " + build);
        return said.getOrDefault("devices", "0").equals("0")
                ? Check.limited(
                        "torch",
                        says + ", sees no GPU",
                        build.isEmpty()
                                ? "install a build for the GPU (pytorch.org), if this machine has one"
                                : "check nvidia-smi, CUDA_VISIBLE_DEVICES, and docker run --gpus all")
                : Check.ok("torch", says + ", sees GPUs: " + said.get("devices"));
    }

    private Check history() {
        return "True".equals(said.get("history"))
                ? Check.ok("history", "allocations can be recorded (torch.cuda.memory._record_memory_history)")
                : Check.missing("history", "this torch cannot record allocations", "install torch 2.1 or later");
    }

    private Check settings() {
        String all = String.join(", ", settings);
        boolean isAsync = all.contains("cudaMallocAsync");
        boolean isUncached = all.contains("NO_CUDA_MEMORY_CACHING=1");
        return isAsync || isUncached
                ? Check.limited(
                        "settings",
                        all,
                        "allocations are recorded by PyTorch's own allocator only: unset this for the recording")
                : Check.ok("settings", all);
    }
}
