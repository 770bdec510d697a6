package dev.leakline.bundle;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Replaces secrets in text by what may stay, not by what secrets are known: beside a name that says that it is one, whatever is no plain number;
 * of a URL, who asks, what is asked for, and what no word is; elsewhere, each long run of letters and digits that is neither words nor numbers.
 * Each step goes over a line once.
 */
final class Secrets {
    static final String HIDDEN = "[secret]";

    /** Names that say so in whatever they are part of, without what parts their words. */
    private static final Pattern TELLING = Pattern.compile(
            "password|passwd|passphrase|passcode|passwort|kennwort|wachtwoord|senha|secret|apikey|credential|cookie|authorization|authenticate"
                    + "|(?:private|access|account|auth|signing|encryption|master|licen[sc]e|shared|storage)key");
    /** Headers, whose value has blanks. */
    private static final Pattern HEADER = Pattern.compile("cookie|authorization|authenticate");
    /** Words that say so where they stand alone or between others. */
    private static final Set<String> WORDS =
            Set.of("pwd", "auth", "cred", "creds", "sig", "signature", "sas", "otp", "jwt", "csrf", "dsn", "bearer");
    /** Words that say so at the end of a name, but have numbers as values, too: tokens are counted, keys numbered. */
    private static final Pattern COUNTABLE =
            Pattern.compile("(?:.*token|(?:.*[_.-])?pass|key|.+[_.-]keys?(?:[_.-](?:id|data|value))?)");
    /** Names that need no sign between them and their value. */
    private static final Pattern SPOKEN =
            Pattern.compile("passw(?:or)?d|passphrase|.{3,}(?:key|password|secret).*|.*[_-].*");
    /** Words that follow such a name in sentences and are no value of it. */
    private static final Set<String> PROSE =
            Set.of(("a an and are as at be by can cannot could does expired failed file for from has"
                            + " have if in incorrect invalid is it length manager may missing must needed no not of on or prompt required reset rotated"
                            + " set should the to too was were when which will with without wrong you your")
                    .split(" ", -1));

    private static final Pattern MARKS = Pattern.compile("[_.-]");
    private static final Pattern TRAILING = Pattern.compile("(?<![.-])[.-]++$");
    private static final Pattern NAME = Pattern.compile("(?<![A-Za-z0-9_])[A-Za-z_][A-Za-z0-9_.-]{1,79}");
    /** Characters between a name and its value: the rest of a quote, a sign, the word value, a quote. */
    private static final Pattern BETWEEN = Pattern.compile("(?<shut>\\\\{0,3}[\"'\\])]{0,3}(?:\\[])?)\\s{0,8}"
            + "(?<sign>:=|=>|[=:>,]|(?:is|was|provided|given)\\b:?)?\\s{0,8}"
            + "(?:(?:\\\\?[\"'])?(?:value|content)(?:\\\\?[\"'])?\\s?[=:>]\\s?)?"
            + "(?<open>[@bruf]?\\\\{0,3}[\"'`]|[\\[({]{1,2}\\\\?[\"'])?");

    private static final Pattern SCHEME =
            Pattern.compile("(?i)(?:bearer|basic|token|apikey|digest|negotiate)\\s{1,4}(?=\\S)");
    private static final Pattern HARMLESS = Pattern.compile(
            "(?i)none|null|true|false|yes|no|\\*+|\\[?(?:secret|redacted|masked|hidden)]?|<[^>]{0,40}>");
    private static final Pattern NUMBER = Pattern.compile("[+-]?[\\d.,]{1,9}(?:\\s?[a-zA-Z/%]{1,5})?");

    private static final Pattern USER = Pattern.compile(
            "(?<![^\\s\"'])(-u|-U|--user|--proxy-user|--auth|--basic)([ =][\"']?)([^\\s\"':]{0,80}:[^\\s\"']{1,200})");
    private static final Pattern GLUED =
            Pattern.compile("(\\bmysql\\w{0,10}\\b[^\\n|;]{0,200}\\s-p)([^\\s-]\\S{0,200})");

    /** Options that have a password behind a blank, of the programs that have such. */
    private static final Pattern OPTION = Pattern.compile(
            "(\\b(?:(?:sshpass|7z)\\b[^\\n|;]{0,200}?\\s-p|redis-cli\\b[^\\n|;]{0,200}?\\s-a|ldap\\w{2,10}\\b[^\\n|;]{0,200}?\\s-w"
                    + "|(?:zip|mosquitto_\\w{3})\\b[^\\n|;]{0,200}?\\s-P) {0,3})(\"[^\"\\n]{1,200}\"|'[^'\\n]{1,200}'|[^\\s\"']{1,200})");

    private static final Pattern URL =
            Pattern.compile("(?<![A-Za-z0-9+.-])([A-Za-z][A-Za-z0-9+.-]{1,20}://)([^\\s\"'<>\\\\]{1,4000})");
    private static final Pattern ARGUMENT = Pattern.compile("([?&;#][^=&;#?/\\s]{1,60}=)([^&;#\\s]{1,4000})");
    private static final Pattern PLAIN = Pattern.compile("\\d{1,9}|true|false");
    /** Shortest segment of an address that may be secret, as in addresses that receive messages. */
    private static final int LEAST_OF_URL = 10;

    /** First letters of keys whose form is public, each with as many as make sure that it is one. */
    private static final Pattern KNOWN =
            Pattern.compile("\\b(?:(?:hf_|sk-|sk_live_|sk_test_|rk_live_|gh[pousr]_|github_pat_|glpat-|nvapi-|npm_"
                    + "|pypi-|hvs\\.|dapi|xox[abeprs]-|xapp-|AIza|dckr_pat_|dop_v1_|SG\\.|ATATT|shpat_|lin_api_)[\\w.=-]{8,400}"
                    + "|A[KS]IA[0-9A-Z]{12,40}|eyJ[\\w-]{5,4000}\\.[\\w-]{5,4000}\\.[\\w-]{0,4000})");

    private static final Pattern KEY_BLOCK = Pattern.compile("(-----BEGIN [A-Z ]{1,40}-----)"
            + "(?:(?:\\\\n|\\s){1,4}[A-Za-z0-9+/=]{16,100}(?=\\\\n|\\s|\"|\\z|-)){1,400}");
    /** A variable of a container, as Kubernetes writes it: name and value have a line each. */
    private static final Pattern VARIABLE =
            Pattern.compile("(\\bname: {1,4}[\"']?([\\w.-]{1,80})[\"']?\\r?\\n[ \\t]{0,40}value: {1,4})[^\\n]{1,1000}");

    private static final Pattern UUID = Pattern.compile(
            "(?i)(?<![0-9a-f])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![0-9a-f])");
    private static final Pattern RUN = Pattern.compile("(?<![A-Za-z0-9_+=~-])[A-Za-z0-9_+=~-]{20,}+");
    private static final Pattern PART = Pattern.compile("[_+=~:.@%-]");
    /** Words, in capitals or not, with numbers between them, as names in programs are. */
    private static final Pattern READABLE =
            Pattern.compile("[A-Za-z]{1,40}|\\d{1,19}|(?:\\d{1,6}x)+\\d{1,6}|[a-z]{2,20}(?:\\d{1,6}x)+\\d{1,6}"
                    + "|(?:[A-Z]{1,6}(?![A-Z])|[A-Z]?[a-z]{2,14}(?![a-z])|\\d{1,4}d?(?![\\da-z]))++");

    private static final int READABLE_LENGTH = 8;
    /** The beginning of mangled C++ names, which kernels have. */
    private static final String MANGLED = "_Z";

    private Secrets() {}

    /** A text without secrets. */
    static String hide(String text) {
        StringBuilder all = new StringBuilder(text.length());
        String blocks = text.contains("-----BEGIN") ? KEY_BLOCK.matcher(text).replaceAll("$1" + HIDDEN) : text;
        String lists =
                VARIABLE.matcher(blocks).replaceAll(match -> sort(match.group(2)) == Sort.NONE ? "$0" : "$1" + HIDDEN);
        for (String line : lists.split("(?<=\n)", -1)) {
            all.append(hideInLine(line));
        }
        return all.toString();
    }

    private static String hideInLine(String line) {
        String known = KNOWN.matcher(line).replaceAll(Matcher.quoteReplacement(HIDDEN));
        String urls = known.contains("://")
                ? URL.matcher(known).replaceAll(match -> url(match.group(1), match.group(2)))
                : known;
        String users = USER.matcher(urls).replaceAll("$1$2" + HIDDEN);
        String options =
                OPTION.matcher(GLUED.matcher(users).replaceAll("$1" + HIDDEN)).replaceAll("$1" + HIDDEN);
        return runs(UUID.matcher(named(options)).replaceAll(HIDDEN));
    }

    private static String url(String scheme, String rest) {
        int path = first(rest, "/?#");
        int at = rest.lastIndexOf('@', path);
        boolean isSplit = at < 0 && rest.substring(0, path).matches("[^:]*:(?!\\d+$).*") && rest.indexOf('@') > 0;
        int user = isSplit ? rest.indexOf('@') : at; // a password may have what ends a host
        String place = user < 0 ? rest : rest.substring(user + 1);
        int end = first(place, "?#");
        StringBuilder hidden = new StringBuilder(scheme).append(user < 0 ? "" : HIDDEN + "@");
        String[] segments = place.substring(0, end).split("/", -1);
        for (int i = 0; i < segments.length; i++) {
            boolean isOpaque = i > 0 && segments[i].length() >= LEAST_OF_URL && isOpaque(segments[i]);
            hidden.append(i == 0 ? "" : "/").append(isOpaque ? HIDDEN : segments[i]);
        }
        String arguments = ARGUMENT.matcher(place.substring(end))
                .replaceAll(match -> Matcher.quoteReplacement(
                        match.group(1) + (PLAIN.matcher(match.group(2)).matches() ? match.group(2) : HIDDEN)));
        return Matcher.quoteReplacement(hidden.append(arguments).toString());
    }

    private static int first(String text, String marks) {
        int i = 0;
        while (i < text.length() && marks.indexOf(text.charAt(i)) < 0) {
            i++;
        }
        return i;
    }

    /** Replaces values that stand beside their names. */
    private static String named(String line) {
        StringBuilder hidden = new StringBuilder(line.length());
        Matcher names = NAME.matcher(line);
        Matcher between = BETWEEN.matcher(line);
        int done = 0;
        for (int from = 0; from <= line.length() && names.find(from); ) {
            from = names.end();
            Sort sort = sort(names.group());
            if (sort != Sort.NONE && between.region(names.end(), line.length()).lookingAt()) {
                int start = start(line, names, between, sort);
                int end = start < 0 ? -1 : end(line, start, names, between, sort);
                if (end > start && isValue(line, start, end, names, between, sort)) {
                    hidden.append(line, done, start).append(HIDDEN);
                    done = end;
                    from = end;
                }
            }
        }
        return hidden.append(line, done, line.length()).toString();
    }

    /** Sorts of names. */
    private enum Sort {
        NONE,
        COUNTED,
        SECRET,
        HEADER
    }

    private static Sort sort(String given) {
        String name = TRAILING.matcher(given.toLowerCase(Locale.ROOT)).replaceFirst("");
        String joined = MARKS.matcher(name).replaceAll("");
        if (HEADER.matcher(joined).find()) {
            return Sort.HEADER;
        }
        boolean isTelling =
                TELLING.matcher(joined).find() || MARKS.splitAsStream(name).anyMatch(WORDS::contains);
        return isTelling ? Sort.SECRET : COUNTABLE.matcher(name).matches() ? Sort.COUNTED : Sort.NONE;
    }

    /** Where the value begins, -1 where there is none. */
    private static int start(String line, Matcher name, Matcher between, Sort sort) {
        boolean isOption = name.start() > 0 && line.charAt(name.start() - 1) == '-';
        String sign = between.group("sign");
        boolean isList = !",".equals(sign) || !between.group("shut").isEmpty();
        if (!isList) {
            return -1;
        }
        int start = between.end();
        boolean isNext = start < line.length() && line.charAt(start) == '-' && sign == null;
        boolean isSpoken = SPOKEN.matcher(name.group().toLowerCase(Locale.ROOT)).matches() && sort == Sort.SECRET;
        boolean isApart = between.end() > name.end();
        boolean isPart = sign == null && (!isApart || (!isOption && between.group("open") == null && !isSpoken));
        if (isPart || (isOption && isNext)) {
            return -1;
        }
        Matcher scheme = SCHEME.matcher(line).region(start, line.length());
        return sort != Sort.HEADER && scheme.lookingAt() ? scheme.end() : start;
    }

    private static int end(String line, int start, Matcher name, Matcher between, Sort sort) {
        String open = between.group("open");
        int last = line.length() - (line.endsWith("\n") ? 1 : 0);
        if (open != null) {
            char quote = open.charAt(open.length() - 1);
            boolean isEscaped = open.indexOf('\\') >= 0;
            for (int i = start; i < last; i++) {
                boolean isAfterSlash = i > 0 && line.charAt(i - 1) == '\\';
                if (line.charAt(i) == quote && isAfterSlash == isEscaped) {
                    return isEscaped ? i - 1 : i;
                }
            }
            return last;
        }
        char before = name.start() > 0 ? line.charAt(name.start() - 1) : ' ';
        if (sort == Sort.HEADER) {
            int quote = before == '"' || before == '\'' ? line.indexOf(before, start) : -1;
            return quote < 0 ? last : quote;
        }
        int i = start;
        while (i < last && !isEnd(line, i)) {
            i++;
        }
        return i;
    }

    private static boolean isEnd(String line, int at) {
        char c = line.charAt(at);
        boolean isBetween = c == ',' && (at + 1 == line.length() || !Character.isLetterOrDigit(line.charAt(at + 1)));
        return Character.isWhitespace(c) || c == 0 || isBetween || "\"'`;&<".indexOf(c) >= 0;
    }

    private static boolean isValue(String line, int start, int end, Matcher name, Matcher between, Sort sort) {
        String value = line.substring(start, end).strip();
        if (value.isEmpty() || HARMLESS.matcher(value).matches() || (value.startsWith(HIDDEN) && sort != Sort.HEADER)) {
            return false;
        }
        if (name.group()
                .equalsIgnoreCase(
                        "key")) { // of anything, but for an argument; where it is a name itself, the value comes next
            return between.group("open") != null && "=".equals(between.group("sign")) && sort(value) == Sort.NONE;
        }
        if (sort == Sort.COUNTED) {
            return value.length() > 3 && !NUMBER.matcher(value).matches();
        }
        boolean isSaid = between.group("sign") == null && between.group("open") == null;
        boolean isOption = name.start() > 0 && line.charAt(name.start() - 1) == '-';
        return isOption
                || !isSaid
                || !PROSE.contains(value.toLowerCase(Locale.ROOT).replaceFirst("[.,:;]+$", ""));
    }

    private static String runs(String line) {
        Matcher runs = RUN.matcher(line);
        StringBuilder hidden = new StringBuilder(line.length());
        int done = 0;
        for (int from = 0; from <= line.length() && runs.find(from); ) {
            from = runs.end();
            if (!isOpaque(runs.group())) {
                continue;
            }
            int start = runs.start();
            while (start > done && line.charAt(start - 1) == '/' && isOpaque(before(line, start - 1, done))) {
                start -= 1 + before(line, start - 1, done).length();
            }
            int end = runs.end();
            while (end < line.length() && line.charAt(end) == '/' && isOpaque(after(line, end + 1))) {
                end += 1 + after(line, end + 1).length();
            }
            hidden.append(line, done, start).append(HIDDEN);
            done = end;
            from = end;
        }
        return hidden.append(line, done, line.length()).toString();
    }

    private static String before(String line, int end, int least) {
        int start = end;
        while (start > least && isOfRun(line.charAt(start - 1))) {
            start--;
        }
        return line.substring(start, end);
    }

    private static String after(String line, int start) {
        int end = start;
        while (end < line.length() && isOfRun(line.charAt(end))) {
            end++;
        }
        return line.substring(start, end);
    }

    private static boolean isOfRun(char c) {
        return (c < 128 && Character.isLetterOrDigit(c)) || "_+=~-".indexOf(c) >= 0;
    }

    /** Returns whether a run is neither words nor numbers. */
    private static boolean isOpaque(String run) {
        boolean isMixed =
                run.chars().anyMatch(Character::isDigit) && run.chars().anyMatch(Character::isLetter);
        return isMixed
                && !run.startsWith(MANGLED)
                && PART.splitAsStream(run)
                        .anyMatch(part -> part.length() > READABLE_LENGTH
                                && !READABLE.matcher(part).matches());
    }
}
