package dev.leakline.bundle;

import dev.leakline.text.DataFile;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Replaces what tells who and where, the same by the same: folders but those of the system and of installed libraries, hosts, users, addresses.
 * Users and hosts are learned from the places where texts name them, and replaced wherever they stand, in other names, too. Names of files and
 * modules stay otherwise, as they say which code it is.
 */
final class Aliases {
    /** The last part of a folder that says which library is in it. */
    private static final Pattern LIBRARY =
            Pattern.compile("(?:site-packages|dist-packages|lib/python[\\d.]{1,6})(?:/.*)?");
    /** Folders that are the same everywhere. */
    private static final Pattern SYSTEM = Pattern.compile(
            "(?:proc|dev|sys)/.*|path\\d+/|(?:usr/(?:local/)?)?(?:s?bin|lib(?:32|64)?|include)/"
                    + "(?:(?:python[\\d.]{1,6}|(?:x86_64|aarch64)-linux-gnu|cuda[\\w.-]{0,20}|nvidia|systemd|jvm)/)*"
                    + "|(?:usr|tmp|opt|var|var/log|run|mnt|data|workspace|app|root|home)/|usr/local/(?:cuda[\\w.-]{0,20}/(?:\\w+/)*)?|pytorch/.*");

    /** A path in quotes, which may have blanks. */
    private static final Pattern QUOTED = Pattern.compile("(?<=[\"'])(/[^\"'\\n]{1,1000}/)(?=[^\"'/\\n]{0,200}[\"'])");

    private static final Pattern PATH = Pattern.compile(
            "(?<=-[IL]|(?<![\\w/.~\\]-]))(/(?:[^\\s/\"'<>|:;,(){}\\[\\]`]{1,255}/){0,60})([^\\s/\"'<>|:;,(){}\\[\\]`]{1,255})");
    private static final Pattern FILE =
            Pattern.compile("[^.]*\\.[A-Za-z]\\w{0,9}(?:[.\\d]{1,20})?|path\\d+|python[\\d.]{0,5}");
    /** A path of Windows, or of a server there; what reads logs may have taken one of two backslashes. */
    private static final Pattern WINDOWS =
            Pattern.compile("(\\b[A-Za-z]:[\\\\/]{1,2}|(?<![\\w\\\\])\\\\{1,4}(?=[\\w.-]{1,60}\\\\{1,2}\\w))"
                    + "((?:[^\\\\/:\"'<>|\\n]{1,200}[\\\\/]{1,2}){1,60})([^\\\\/\\s:\"'<>|]{0,200})");

    private static final Pattern BUCKET = Pattern.compile(
            "\\b(s3a?|gs|gcs|hdfs|abfss?|wasbs?|r2|oss|dbfs|az|viewfs|lustre|nfs)://([^\\s\"'<>/]{1,255})((?:/[^\\s\"'<>/]{1,255}){0,60})");
    private static final Pattern URL = Pattern.compile(
            "\\b([a-z][a-z0-9+.-]{1,20}://)(?:\\[secret]@|[^\\s\"'<>/@]{1,80}@)?([A-Za-z0-9_][\\w.-]{0,250})((?::\\d{1,5})?(?:/[^\\s\"'<>]{0,2000})?)");
    /** Hosts whose pages messages of programs name, and this machine. */
    private static final Pattern PUBLIC = Pattern.compile(
            "(?:[\\w-]+\\.)*(?:pytorch\\.org|nvidia\\.com|python\\.org|huggingface\\.co|wandb\\.ai|readthedocs\\.io|kernel\\.org|oasis-open\\.org)|github\\.com"
                    + "|localhost|127\\.0\\.0\\.1|0\\.0\\.0\\.0|(?:user|host|address|mail)\\d+");

    private static final Pattern FILE_URL = Pattern.compile("\\bfile://(?:localhost)?(?=/)");
    private static final Pattern MAIL =
            Pattern.compile("(?<![\\w.+-])[\\w.+-]{1,64}@[\\w-]{1,63}(?:\\.[\\w-]{1,63}){1,8}");
    private static final Pattern ADDRESS = Pattern.compile(
            "(?<![\\w.])(?!127\\.0\\.0\\.1\\b|0\\.0\\.0\\.0\\b)(?:(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)\\.){3}(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)(?![\\w.]*\\w)");
    private static final Pattern ADDRESS_6 = Pattern.compile(
            "(?i)(?<![\\w:.])(?=[\\da-f:]{0,39}(?:::|[a-f]|(?::[\\da-f]{1,4}){7}))(?:[\\da-f]{1,4}:|:){2,8}[\\da-f]{0,4}(?:%\\w{1,15})?(?![\\w:])");
    private static final Pattern HARDWARE =
            Pattern.compile("(?i)(?<![\\w:])(?:[\\da-f]{2}[:-]){5}[\\da-f]{2}(?![\\w:])");
    private static final Pattern DOMAIN = Pattern.compile(
            "(?i)(?<![\\w.@/-])(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.){1,8}"
                    + "(?:com|net|org|edu|gov|cloud|internal|intern|local|lan|corp|home|example|test|de|fr|uk|ch|cn|jp|eu)(?![\\w-]|\\.\\w)");
    private static final Pattern NODES = Pattern.compile("\\b([a-z][a-z-]{0,30}\\d{0,6})\\[\\d{1,6}[-,][\\d,-]{1,60}]");

    private static final Pattern HOME = Pattern.compile(
            "(?:/home/|/[Uu]sers/|/scratch/|[A-Za-z]:[\\\\/]{1,2}Users[\\\\/]{1,2})([^\\s/\\\\\"':<>]{2,32}(?: [A-Z][^\\s/\\\\\"':<>]{0,31}(?=\\\\))?)");
    private static final Pattern USER = Pattern.compile(
            "(?i)(?:\\b(?:user(?:name|id)?|logname|login|owner)\\\\?[\"']?[=:] ?\\\\?[\"']?|\\blogname |\\buser <?|\\blogged in as:? |(?<=\\blogged in as:? [\\w.-]{1,31} )\\("
                    + "|\\b[ug]id=\\d{1,10}\\()(?=([a-z_][\\w.-]{1,31}))|(?<![\\w.+-])([a-z_][\\w.-]{1,31})@(?=[a-z])");
    /** A line of {@code ps aux}. */
    private static final Pattern PROCESS =
            Pattern.compile("(?m)^([a-z_][\\w.-]{1,31})\\+? {1,30}\\d{1,7} {1,10}\\d{1,4}\\.\\d {1,10}\\d{1,3}\\.\\d ");

    private static final Pattern HOST = Pattern.compile(
            "(?i)(?:(?<![\\w.+-])[\\w.+-]{1,64}@|\\bsrun: error: |\\bhost(?: ?name)?\\\\?[\"']?[=:] {0,30}\\\\?[\"']?"
                    + "|\\bhost(?:name)? |\\bnode(?:name|s|list)?\\\\?[\"']?[=:] ?\\\\?[\"']?|\\bnodes? |\\bSTEP [\\d.]{1,30} ON |StepId=[\\d.]{1,30} on "
                    + "|\\bMASTER_ADDR=|\\btcp://|\\bip=|\\bwaiting on |^[A-Z][a-z]{2} [ \\d]\\d \\d\\d:\\d\\d:\\d\\d (?=\\S+ [\\w.-]+(?:\\[\\d+])?: )"
                    + "|\\[(?=[\\w.-]{2,63}:rank\\d))(?=([a-z][\\w.-]{0,62}\\w))|(?<![\\w.-])([a-z][\\w.-]{1,62}):\\d{1,10}:\\d{1,10} \\[\\d",
            Pattern.MULTILINE);

    private static final Pattern TRAILING = Pattern.compile("(?<![.-])[.-]++$");

    private static final Pattern WORD =
            Pattern.compile("(?<![\\w.-])[\\w.-]{2,200}|(?<=\\.)[\\w-]{2,200}", Pattern.UNICODE_CHARACTER_CLASS);
    /** A name that is shorter is replaced only where it stands alone. */
    private static final int LEAST_IN_NAMES = 4;

    /** Words of messages about memory and of all machines; none of them is a name, whatever folder has it. */
    private static final Set<String> COMMON =
            Set.of(DataFile.read(Aliases.class, "words.txt").strip().split("\\s+", -1));

    private final Map<String, String> names = new HashMap<>();
    private final Map<String, Integer> counts = new HashMap<>();

    /** Looks for users and hosts; all texts must be seen before the first is replaced. */
    void learn(String text) {
        HOME.matcher(text).results().forEach(match -> add("user", match.group(1)));
        USER.matcher(text).results().forEach(match -> add("user", match.group(match.group(1) == null ? 2 : 1)));
        PROCESS.matcher(text).results().forEach(match -> add("user", match.group(1)));
        HOST.matcher(text).results().forEach(match -> host(match.group(match.group(1) == null ? 2 : 1)));
    }

    /** Adds a user. */
    void user(String name) {
        add("user", name);
    }

    /** Adds a machine, with its domain and without. */
    void host(String name) {
        add("host", name);
        add("host", name.replaceFirst("\\..*", ""));
    }

    private void add(String kind, String name) {
        String bare = TRAILING.matcher(name.toLowerCase(Locale.ROOT)).replaceFirst("");
        if (bare.length() > 2 && !COMMON.contains(bare) && !bare.matches("[\\d.]+|(?:user|host|path)\\d+")) {
            alias(kind, bare);
        }
    }

    private String alias(String kind, String name) {
        return names.computeIfAbsent(name, _ -> kind + counts.merge(kind, 1, Integer::sum));
    }

    /** A text with other names. */
    String replace(String text) {
        String urls = replace(BUCKET, FILE_URL.matcher(text).replaceAll(""), this::bucket);
        String hosts = replace(URL, urls, this::url);
        String mails = replace(MAIL, hosts, match -> alias("mail", match.group()));
        String folders = replace(WINDOWS, mails, this::windows);
        String paths = replace(PATH, replace(QUOTED, folders, match -> folder(match.group(1))), this::path);
        String hardware = replace(HARDWARE, paths, match -> alias("address", match.group()));
        String addresses = replace(ADDRESS_6, replace(ADDRESS, hardware, this::address), this::address);
        String nodes = replace(NODES, addresses, match -> alias("host", match.group(1)) + "[...]");
        String domains = replace(DOMAIN, nodes, this::domain);
        return replace(WORD, domains, match -> word(match.group()));
    }

    private static String replace(Pattern pattern, String text, Function<MatchResult, String> by) {
        return pattern.matcher(text).replaceAll(match -> Matcher.quoteReplacement(by.apply(match)));
    }

    private String address(MatchResult match) {
        return alias("address", match.group());
    }

    private String domain(MatchResult match) {
        return PUBLIC.matcher(match.group()).matches()
                ? match.group()
                : alias("host", match.group().toLowerCase(Locale.ROOT));
    }

    private String bucket(MatchResult match) {
        String path = match.group(3);
        String folder = path.isEmpty() ? "" : folder(path.substring(0, path.lastIndexOf('/') + 1));
        return match.group(1) + "://" + alias("host", match.group(2)) + folder
                + file(path.substring(path.lastIndexOf('/') + 1));
    }

    private String url(MatchResult match) {
        String host = match.group(2);
        if (PUBLIC.matcher(host).matches()) {
            return match.group();
        }
        String rest = match.group(3);
        int path = rest.indexOf('/');
        String port = path < 0 ? rest : rest.substring(0, path);
        return match.group(1)
                + alias("host", host.toLowerCase(Locale.ROOT))
                + port
                + (path < 0 || path == rest.length() - 1 ? "" : "/" + alias("path", rest.substring(path)));
    }

    private String path(MatchResult match) {
        String folder = match.group(1);
        String last = match.group(2);
        if (folder.equals("/")) {
            return SYSTEM.matcher(last + "/").matches() || FILE.matcher(last).matches()
                    ? match.group()
                    : "/" + alias("path", last + "/");
        }
        boolean isSystem = SYSTEM.matcher(folder.substring(1)).matches();
        return folder(folder) + (isSystem && !isPlace(folder) ? last : file(last));
    }

    /** Returns whether everybody makes folders of their own there. */
    private static boolean isPlace(String folder) {
        return !folder.matches("/(?:proc|dev|sys|usr|s?bin|lib(?:32|64)?|pytorch)/.*");
    }

    /** The last name of a path, where it is that of a file and no folder. */
    private String file(String name) {
        return name.isEmpty() || FILE.matcher(name).matches() ? name : alias("path", name + "/");
    }

    /** A folder, which begins and ends with a slash. */
    private String folder(String folder) {
        String own = folder.substring(1);
        if (own.isEmpty() || SYSTEM.matcher(own).matches()) {
            return folder;
        }
        Matcher library = LIBRARY.matcher(own);
        boolean isLibrary = library.find();
        String before = isLibrary ? own.substring(0, library.start()) : own;
        String shown = before.isEmpty() || SYSTEM.matcher(before).matches() ? before : alias("path", before) + "/";
        return "/" + shown + (isLibrary ? library.group() : "");
    }

    private String windows(MatchResult match) {
        String mark = match.group(2).endsWith("\\\\")
                ? "\\\\"
                : match.group(2).substring(match.group(2).length() - 1);
        return match.group(1) + alias("path", match.group(2).replace("\\\\", "\\")) + mark + file(match.group(3));
    }

    /** A word, or its parts where one of them is a name. */
    private String word(String word) {
        String whole = names.get(word.toLowerCase(Locale.ROOT));
        if (whole != null) {
            return whole;
        }
        String by = parts(word, "[_.]");
        return by.equals(word) ? parts(word, "[_.-]") : by;
    }

    private String parts(String word, String marks) {
        StringBuilder all = new StringBuilder(word.length());
        for (String part : word.split("(?<=" + marks + ")|(?=" + marks + ")", -1)) {
            String name = part.length() < LEAST_IN_NAMES ? null : names.get(part.toLowerCase(Locale.ROOT));
            all.append(name == null ? part : name);
        }
        return all.toString();
    }
}
