package dev.leakline.bundle;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Replaces what tells who and where: secrets always; folders, users, hosts, addresses on request. The same name becomes the same word
 * in all texts of an archive, so that what belongs together still does. Names of files and modules stay, as they say which code it is.
 */
final class Scrubber {
    private static final Pattern SECRET = Pattern.compile(
            "\\b(?:hf_[A-Za-z0-9]{16,}|sk-[\\w-]{16,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\\w{20,}|AKIA[0-9A-Z]{16}|xox[abp]-[\\w-]{10,}"
                    + "|eyJ[\\w-]{10,}\\.[\\w-]{10,}\\.[\\w-]+)");
    private static final Pattern ASSIGNED = Pattern.compile(
            "(?i)([\\w-]*(?:api[_-]?key|token|passw(?:or)?d|secret|authorization)\\\\?\"?\\s*[=:]\\s*\\\\?\"?(?:bearer )?)([^\\s\"'\\\\,;}&<]{6,})");
    private static final Pattern MAIL = Pattern.compile("\\b[\\w.+-]+@[\\w-]+(?:\\.[\\w-]+)+\\b");
    private static final Pattern ADDRESS = Pattern.compile(
            "(?<![\\w.])(?!127\\.0\\.0\\.1\\b|0\\.0\\.0\\.0\\b)(?:(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)\\.){3}(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)(?![\\w.])");
    /** A folder with its file, or with what an installed library has below it. */
    private static final Pattern PATH = Pattern.compile("(?<![\\w/.:\\\\-])/((?:[\\w.@+~-]+/)+)(?=[\\w.@+~<-])");

    private static final Pattern WINDOWS =
            Pattern.compile("\\b([A-Za-z]:\\\\{1,2}(?:[\\w .@+~-]+\\\\{1,2})+)(?=[\\w.@+~-])");
    private static final Pattern LIBRARY = Pattern.compile("(?:site-packages|dist-packages|lib/python[\\d.]+)/.*");
    /** Folders of the system, which tell nothing. */
    private static final List<String> SYSTEM =
            List.of("proc/", "dev/", "sys/", "usr/", "lib/", "lib64/", "bin/", "etc/", "pytorch/");

    private static final Pattern HOME =
            Pattern.compile("(?:/home/|/Users/|[A-Za-z]:\\\\{1,2}Users\\\\{1,2})([\\w.-]{2,32})");
    private static final Pattern HOST = Pattern.compile(
            "(?i)(?:\\b[\\w.-]+@|\\bsrun: error: |\\bhost(?:name)?\\\\?\"?[=:] ?\\\\?\"?|\\bnode(?:name|list)?\\\\?\"?[=:] ?\\\\?\"?|\\bSTEP [\\d.]+ ON )([a-z][\\w.-]*[\\w])");
    /** Words that are names of accounts and machines everywhere, and common in texts. */
    private static final Set<String> COMMON = Set.of(
            "root",
            "user",
            "users",
            "ubuntu",
            "admin",
            "none",
            "null",
            "true",
            "false",
            "localhost",
            "python",
            "runner",
            "jovyan",
            "shared",
            "default",
            "node",
            "host",
            "rank",
            "local",
            "main",
            "cuda",
            "gpu");

    private final boolean isFull;
    private final Map<String, String> names = new LinkedHashMap<>();
    private final Map<String, Integer> counts = new HashMap<>();

    /** Replaces secrets, and all the rest only if {@code isFull}. */
    Scrubber(boolean isFull) {
        this.isFull = isFull;
        if (isFull) {
            name("user", System.getProperty("user.name", ""));
        }
    }

    /** Looks for users and hosts; all texts must be seen before the first is scrubbed. */
    void learn(String text) {
        if (isFull) {
            HOME.matcher(text).results().forEach(match -> name("user", match.group(1)));
            HOST.matcher(text).results().forEach(match -> name("host", match.group(1)));
        }
    }

    /** Adds the name of a machine. */
    void host(String name) {
        if (isFull) {
            name("host", name);
            name("host", name.replaceFirst("\\..*", ""));
        }
    }

    private void name(String kind, String name) {
        boolean tells =
                name.length() > 2 && !COMMON.contains(name.toLowerCase(Locale.ROOT)) && !name.matches("[\\d.]+");
        if (tells) {
            alias(kind, name);
        }
    }

    private String alias(String kind, String name) {
        return names.computeIfAbsent(name, _ -> kind + counts.merge(kind, 1, Integer::sum));
    }

    /** A text without what tells. */
    String scrub(String text) {
        String plain =
                ASSIGNED.matcher(SECRET.matcher(text).replaceAll("[secret]")).replaceAll("$1[secret]");
        if (!isFull) {
            return plain;
        }
        String folders = replace(WINDOWS, replace(PATH, plain, this::folder), this::windows);
        String mails = replace(MAIL, folders, match -> alias("mail", match.group()));
        return words(replace(ADDRESS, mails, match -> alias("address", match.group())));
    }

    private static String replace(Pattern pattern, String text, Function<MatchResult, String> by) {
        return pattern.matcher(text).replaceAll(match -> Matcher.quoteReplacement(by.apply(match)));
    }

    private String folder(MatchResult match) {
        String folder = match.group(1);
        if (SYSTEM.stream().anyMatch(folder::startsWith)) {
            return match.group();
        }
        Matcher library = LIBRARY.matcher(folder);
        boolean isLibrary = library.find();
        String own = isLibrary ? folder.substring(0, library.start()) : folder;
        return "/" + alias("path", own) + "/" + (isLibrary ? library.group() : "");
    }

    private String windows(MatchResult match) {
        String folder = match.group(1);
        String mark = folder.endsWith("\\\\") ? "\\\\" : "\\";
        return folder.charAt(0) + ":" + mark + alias("path", folder.replace("\\\\", "\\")) + mark;
    }

    private String words(String text) {
        String all = text;
        for (Map.Entry<String, String> name : names.entrySet()) {
            boolean isWord =
                    name.getValue().startsWith("user") || name.getValue().startsWith("host");
            if (isWord && all.contains(name.getKey())) {
                all = Pattern.compile("(?<![\\w.])" + Pattern.quote(name.getKey()) + "(?![\\w])")
                        .matcher(all)
                        .replaceAll(name.getValue());
            }
        }
        return all;
    }
}
