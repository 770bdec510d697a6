package dev.leakline.fleet;

import dev.leakline.Ranks;
import dev.leakline.fleet.FleetFile.Labels;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The meaning of the folders above a file. A pattern such as {@code {team}/{job}/{version}} names them, from the input folder on; a folder of which
 * it does not say anything is {@code *}. What it does not name is read from words that trainers write: the job is the folder
 * above those of its ranks and iterations, the host what is called a node or a host.
 */
final class PathLabels implements Serializable {
    private static final Set<String> NAMES = Set.of("team", "job", "version", "host");
    private static final Pattern NAMED = Pattern.compile("\\{(\\w+)}");

    /** For each folder its name, null where nobody asks for it. */
    private final List<@Nullable String> names;

    private PathLabels(List<@Nullable String> names) {
        this.names = names;
    }

    /** Reads a pattern; throws {@link IllegalArgumentException} for one that is none. Empty for none. */
    static PathLabels of(String pattern) {
        List<@Nullable String> names = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (String part : pattern.isEmpty() ? new String[0] : pattern.split("/")) {
            Matcher named = NAMED.matcher(part);
            String name = named.matches() ? named.group(1) : null;
            if (name == null ? !part.equals("*") : !NAMES.contains(name) || !seen.add(name)) {
                throw new IllegalArgumentException("--path " + pattern + ": '" + part
                        + "' is no part of it; expected {team}, {job}, {version} or {host}, each once, or *");
            }
            names.add(name);
        }
        return new PathLabels(names);
    }

    /** The labels in a file's path; {@code input} is the folder that was given, and a beginning of it. */
    Labels of(String input, String path) {
        int begin = path.startsWith(input + "/") ? input.length() + 1 : path.lastIndexOf('/') + 1;
        Map<String, String> found = new HashMap<>();
        int start = begin;
        for (String name : names) {
            int end = path.indexOf('/', start);
            if (end < 0) {
                break;
            }
            if (name != null) {
                found.put(name, name.equals("job") ? path.substring(0, end) : path.substring(start, end));
            }
            start = end + 1;
        }
        String job = found.get("job");
        String host = found.get("host");
        return new Labels(
                job == null ? Ranks.jobFolder(path) : job,
                host == null ? Ranks.host(path.substring(begin)) : host,
                found.get("team"),
                found.get("version"));
    }
}
