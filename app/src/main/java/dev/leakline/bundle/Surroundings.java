package dev.leakline.bundle;

import dev.leakline.attach.linux.ProcFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** System data that matters for a job's memory: settings in the environment, and Linux's figures of a process. */
final class Surroundings {
    /** Names of settings that tell of memory or of which devices are used; no others are taken, as they may hold secrets. */
    private static final Pattern SETTING = Pattern.compile(
            "PYTORCH_\\w+|TORCH_(?:CUDA|NCCL|LOGS)\\w*|(?:CUDA|HIP|ROCR|ASCEND_RT|ZE)_\\w*(?:DEVICE|VISIBLE|AFFINITY|LAUNCH|MALLOC|MODULE)\\w*|NCCL_\\w+|XLA_\\w+"
                    + "|TF_\\w*GROWTH|TF_GPU_ALLOCATOR|OMP_NUM_THREADS|MALLOC_\\w+|LD_PRELOAD|VLLM_\\w+|SGLANG_\\w+|RAY_\\w*memory\\w*|CUPY_GPU_\\w+"
                    + "|SLURM_(?:MEM|GPUS|NTASKS|JOB_NUM|CPUS)\\w*|WORLD_SIZE|RANK|LOCAL_RANK");

    private static final Pattern OPTION =
            Pattern.compile("(?<name>--?[A-Za-z][A-Za-z0-9_.-]{0,60})(?:=(?<value>.*))?", Pattern.DOTALL);
    private static final Pattern NUMBER = Pattern.compile("[\\d.]{1,12}");
    private static final Pattern SCRIPT = Pattern.compile("[\\w./+-]{1,300}\\.(?:py|pyc|sh)");
    private static final Pattern MODULE = Pattern.compile("\\w[\\w.]{0,100}");
    private static final String LEFT_OUT = "[...]";

    private static final List<String> LIMITS = List.of(
            "/sys/fs/cgroup/memory.max",
            "/sys/fs/cgroup/memory.current",
            "/sys/fs/cgroup/memory.events",
            "/sys/fs/cgroup/memory/memory.limit_in_bytes",
            "/proc/meminfo");
    /** Lines of a file that are taken; those of {@code meminfo} that matter come first. */
    private static final int MOST_LINES = 12;

    private Surroundings() {}

    /** The name of this machine; empty where nobody says. */
    static String hostName() {
        String named = System.getenv("HOSTNAME");
        try {
            Path file = Path.of("/proc/sys/kernel/hostname");
            return Files.isReadable(file) ? Files.readString(file).strip() : named == null ? "" : named;
        } catch (IOException e) {
            return "";
        }
    }

    /** Settings in an environment, a line each. */
    static String settings(Map<String, String> environment) {
        StringBuilder lines = new StringBuilder();
        new TreeMap<>(environment).forEach((name, value) -> {
            if (SETTING.matcher(name).matches()) {
                lines.append(name).append('=').append(value).append('\n');
            }
        });
        return lines.toString();
    }

    /** Limits and use of this machine's memory. */
    static String limits() {
        StringBuilder lines = new StringBuilder();
        for (String name : LIMITS) {
            try {
                Path file = Path.of(name);
                if (Files.isReadable(file)) {
                    List<String> head = Files.readAllLines(file, StandardCharsets.ISO_8859_1).stream()
                            .limit(MOST_LINES)
                            .toList();
                    lines.append(name)
                            .append(":\n  ")
                            .append(String.join("\n  ", head))
                            .append('\n');
                }
            } catch (IOException e) {
                lines.append(name).append(": ").append(e.getMessage()).append('\n');
            }
        }
        return lines.toString();
    }

    /** Describes a process by Linux: its command, its memory, its settings. */
    static String process(int pid) throws IOException {
        List<String> lines = new ArrayList<>();
        lines.add("command: " + command(List.of(nullParted(pid, "cmdline", "\0").split("\0", -1))));
        Map<String, String> status = new TreeMap<>(ProcFile.fields(pid, "status"));
        status.forEach((name, value) -> {
            if (name.startsWith("Vm") || name.startsWith("Rss") || name.equals("Threads") || name.equals("State")) {
                lines.add(name + ": " + value);
            }
        });
        lines.add("settings:");
        Map<String, String> environment = new TreeMap<>();
        for (String one : nullParted(pid, "environ", "\0").split("\0", -1)) {
            int equals = one.indexOf('=');
            if (equals > 0) {
                environment.put(one.substring(0, equals), one.substring(equals + 1));
            }
        }
        return String.join("\n", lines) + "\n" + settings(environment);
    }

    /** A command with the program, the script or module, names of options and numbers; anything else may be a secret. */
    static String command(List<String> words) {
        StringBuilder shown = new StringBuilder(words.getFirst());
        for (int i = 1; i < words.size(); i++) {
            String word = words.get(i);
            boolean isModule =
                    words.get(i - 1).equals("-m") && MODULE.matcher(word).matches();
            Matcher option = OPTION.matcher(word);
            shown.append(' ');
            if (option.matches()) {
                String value = option.group("value");
                shown.append(option.group("name"))
                        .append(
                                value == null
                                        ? ""
                                        : "=" + (NUMBER.matcher(value).matches() ? value : LEFT_OUT));
            } else {
                shown.append(
                        isModule
                                        || NUMBER.matcher(word).matches()
                                        || SCRIPT.matcher(word).matches()
                                ? word
                                : LEFT_OUT);
            }
        }
        return shown.toString();
    }

    private static String nullParted(int pid, String file, String by) throws IOException {
        return new String(Files.readAllBytes(ProcFile.of(pid, file)), StandardCharsets.UTF_8)
                .replace("\0", by)
                .strip();
    }
}
