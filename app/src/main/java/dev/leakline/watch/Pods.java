package dev.leakline.watch;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which pod of Kubernetes a process runs in. Its control group says the pod's UID and the container's number; what they are called is in the name
 * that the kubelet gives the container's log, {@code POD_NAMESPACE_CONTAINER-NUMBER.log}. No API and no socket is asked.
 */
public final class Pods {
    /** {@code kubepods-burstable-podUID.slice/cri-containerd-NUMBER.scope}, or {@code kubepods/burstable/podUID/NUMBER}. */
    private static final Pattern GROUP = Pattern.compile(
            "kubepods.*?pod([0-9a-f]{8}(?:[-_]?[0-9a-f]{4}){3}[-_]?[0-9a-f]{12})(?:\\.slice)?/(?:[a-z]+(?:-[a-z]+)*-)?([0-9a-f]{64})");

    private static final Pattern LOG = Pattern.compile("([^_]+)_([^_]+)_([^_]+)-([0-9a-f]{64})\\.log");
    private static final int UID = 32;
    /** Numbers of containers whose log is not there yet are looked for again only when there are others. */
    private static final int MOST_KNOWN = 4096;

    private final Path proc;
    private final Path logs;
    private final Map<String, Pod> named = new HashMap<>();
    private final Map<Long, Known> known = new HashMap<>();

    Pods(Path proc, Path logs) {
        this.proc = proc;
        this.logs = logs;
    }

    /** The pods of this machine. */
    public static Pods ofThisMachine() {
        return new Pods(Path.of("/proc"), Path.of("/var/log/containers"));
    }

    /**
     * A pod, and the container in it.
     *
     * @param uid the pod's number, with hyphens
     * @param namespace empty where nobody says what it is called; so are the others
     */
    public record Pod(String uid, String container, String namespace, String name, String containerName) {}

    private record Known(long started, @Nullable Pod pod) {}

    /** The pod of a process, null where it is in none; {@code started} tells it from others of the same number. */
    public @Nullable Pod of(long pid, long started) {
        Known found = known.get(pid);
        if (found == null || found.started != started) {
            if (known.size() >= MOST_KNOWN) {
                known.clear();
            }
            found = new Known(started, read(pid));
            known.put(pid, found);
        }
        return found.pod;
    }

    private @Nullable Pod read(long pid) {
        try {
            String groups = Files.readString(proc.resolve(pid + "/cgroup"), StandardCharsets.ISO_8859_1);
            Matcher group = GROUP.matcher(groups);
            return group.find() ? pod(uid(group.group(1)), group.group(2)) : null;
        } catch (IOException e) {
            return null;
        }
    }

    private static String uid(String text) {
        String digits = text.replaceAll("[-_]", "");
        return digits.length() == UID
                ? digits.replaceFirst("(.{8})(.{4})(.{4})(.{4})(.{12})", "$1-$2-$3-$4-$5")
                : digits;
    }

    private Pod pod(String uid, String container) {
        if (!named.containsKey(container)) {
            named.clear();
            readLogs();
        }
        Pod log = named.get(container);
        return log == null
                ? new Pod(uid, container, "", "", "")
                : new Pod(uid, container, log.namespace, log.name, log.containerName);
    }

    private void readLogs() {
        try (Stream<Path> files = Files.list(logs)) {
            files.forEach(file -> {
                Matcher log = LOG.matcher(file.getFileName().toString());
                if (log.matches()) {
                    named.put(log.group(4), new Pod("", log.group(4), log.group(2), log.group(1), log.group(3)));
                }
            });
        } catch (IOException e) {
            // Nobody has mounted it: pods then have numbers alone.
        }
    }
}
