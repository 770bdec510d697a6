package dev.leakline.read.clue;

import static dev.leakline.read.clue.Amounts.NUMBER;
import static dev.leakline.read.clue.Amounts.UNIT;

import dev.leakline.result.Conclusion.Resource;
import dev.leakline.source.Clue;
import dev.leakline.source.Clue.Kind;
import dev.leakline.text.ByteSize;
import dev.leakline.text.NaturalOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads what two versions of a program hold, from a sentence ({@code 1.1 GB with 0.13, 16 GB with 0.14}), a table with a row or a column for each, or
 * two lists with the version above each; and says where the newer one holds more.
 */
final class VersionSizes {
    private static final Pattern VERSION = Pattern.compile(
            "(?<![\\w./=-])v?(\\d{1,3}\\.\\d{1,3}(?:\\.\\d{1,3})?(?:\\.?(?:rc|post|dev)\\d{1,3})?)(?![\\w%]|\\.\\d|\\s?(?:[kmgt]i?b|bytes|gigs?|megs?|%|[smxh]|ms|sec\\w*|min\\w*|hours?)\\b)"
                    + "|\\b(?:the )?(old|older|previous|last|new|newer|latest) (?:version|release|build)\\b"
                    + "|\\b(before|after) (?:the |an? )?(?:last )?(?:update|upgrade|upgrading|updating)\\b");
    private static final List<String> OLD = List.of("old", "older", "previous", "last", "before");
    /** Numbers that are settings and no versions. */
    private static final Pattern SETTING =
            Pattern.compile("utilization|fraction|threshold|ratio|guidance|strength|batch \\d|\\blr\\b|temperature");

    private static final Pattern SIZE = Pattern.compile(NUMBER + UNIT);
    private static final Pattern CELL = Pattern.compile("\\|");
    private static final Pattern NO_NAME = Pattern.compile("[^a-z0-9_ ()/.-]+");
    private static final Pattern BULLET = Pattern.compile("^[-. ]+");
    /** A heading above a list, or a line of code, is no longer. */
    private static final int HEADING = 80;
    /** What two starts of one program differ by. */
    private static final double NOTABLE = 0.05;

    private record Held(String version, long bytes, long line) {}

    private record Token(boolean isVersion, int start, String text, long bytes) {
        /** Whether it is a version that has a number, which says more than "the new one". */
        boolean isNumber() {
            return isVersion && !text.startsWith("the ");
        }
    }

    private final Map<String, List<Held>> held = new LinkedHashMap<>();
    private List<String> columns = List.of();
    private List<String> names = List.of();
    private @Nullable String above;
    private @Nullable Resource resource;

    /** Takes a line in small letters. */
    void take(String small, long number) {
        boolean isRow = small.indexOf('|') >= 0;
        List<Token> tokens = tokens(small);
        if (tokens.stream().anyMatch(Token::isNumber)) {
            tokens.removeIf(token -> token.isVersion() && !token.isNumber());
        }
        List<Token> versions = tokens.stream().filter(Token::isVersion).toList();
        List<Token> sizes = tokens.stream().filter(token -> !token.isVersion()).toList();
        if (!sizes.isEmpty() && resource == null) {
            resource = Prose.resource(small);
        }
        if (isRow && sizes.isEmpty()) {
            head(small, versions);
        } else if (isRow && versions.size() == 1) {
            row(small, versions.getFirst(), number);
        } else if (isRow && versions.isEmpty() && sizes.size() == columns.size()) {
            for (int i = 0; i < sizes.size(); i++) {
                put(name(CELL.split(small, -1)), columns.get(i), sizes.get(i), number);
            }
        } else if (versions.size() == sizes.size() && alternate(tokens)) {
            for (int i = 0; i < versions.size(); i++) {
                put("", versions.get(i).text(), sizes.get(i), number);
            }
        } else if (versions.size() == 1 && sizes.isEmpty() && small.length() <= HEADING) {
            above = versions.getFirst().text();
        } else if (versions.isEmpty() && sizes.size() == 1 && above != null) {
            put(clean(small.substring(0, sizes.getFirst().start())), above, sizes.getFirst(), number);
        }
    }

    private static List<Token> tokens(String small) {
        List<Token> tokens = new ArrayList<>();
        for (MatchResult size : SIZE.matcher(small).results().toList()) {
            tokens.add(new Token(false, size.start(), size.group(), Amounts.bytes(size.group(1), size.group(2))));
        }
        if (!SETTING.matcher(small).find()) {
            for (MatchResult match : VERSION.matcher(small).results().toList()) {
                tokens.add(new Token(true, match.start(), version(match), 0));
            }
        }
        tokens.sort(Comparator.comparingInt(Token::start));
        return tokens;
    }

    private static String version(MatchResult match) {
        if (match.group(1) != null) {
            return match.group(1);
        }
        String word = match.group(2) == null ? match.group(3) : match.group(2);
        return OLD.contains(word) ? "the old version" : "the new version";
    }

    private static boolean alternate(List<Token> tokens) {
        for (int i = 1; i < tokens.size(); i++) {
            if (tokens.get(i).isVersion() == tokens.get(i - 1).isVersion()) {
                return false;
            }
        }
        return !tokens.isEmpty();
    }

    private void head(String small, List<Token> versions) {
        if (versions.size() == 2) {
            columns = versions.stream().map(Token::text).toList();
        } else if (versions.isEmpty() && !small.contains("--")) {
            names = List.of(CELL.split(small, -1));
        }
    }

    /** A row of one version: each of its sizes is named by its column. */
    private void row(String small, Token version, long number) {
        String[] cells = CELL.split(small, -1);
        for (int i = 0; i < cells.length; i++) {
            List<Token> sizes = tokens(cells[i]).stream()
                    .filter(token -> !token.isVersion())
                    .toList();
            if (sizes.size() == 1) {
                String name = names.size() == cells.length ? clean(names.get(i)) : "";
                put(name, version.text(), sizes.getFirst(), number);
            }
        }
    }

    private static String name(String[] cells) {
        for (String cell : cells) {
            if (!cell.isBlank()) {
                return clean(cell);
            }
        }
        return "";
    }

    private static String clean(String name) {
        return BULLET.matcher(NO_NAME.matcher(name).replaceAll(" ").strip()).replaceFirst("");
    }

    private void put(String name, String version, Token size, long number) {
        held.computeIfAbsent(name, _ -> new ArrayList<>()).add(new Held(version, size.bytes(), number));
    }

    /**
     * Where the newer version holds more than the older one, the largest difference; empty where nothing says so. Only for a text that compares two
     * versions: elsewhere a number with a point is any number.
     */
    Optional<Clue> finish() {
        return held.entrySet().stream()
                .flatMap(entry -> more(entry.getKey(), entry.getValue()).stream())
                .max(Comparator.comparingLong(Clue::bytes));
    }

    private Optional<Clue> more(String name, List<Held> sizes) {
        if (sizes.size() != 2 || sizes.get(0).version().equals(sizes.get(1).version())) {
            return Optional.empty();
        }
        boolean isInOrder = older(sizes.get(0).version(), sizes.get(1).version());
        Held old = sizes.get(isInOrder ? 0 : 1);
        Held recent = sizes.get(isInOrder ? 1 : 0);
        long more = recent.bytes() - old.bytes();
        if (more < NOTABLE * recent.bytes()) {
            return Optional.empty();
        }
        String text = (name.isEmpty() ? "" : name + " ") + ByteSize.format(old.bytes()) + " with " + old.version()
                + ", " + ByteSize.format(recent.bytes()) + " with " + recent.version();
        return Optional.of(new Clue(Kind.VERSION_HOLDS_MORE, resource, more, recent.line(), text));
    }

    private static boolean older(String one, String other) {
        return one.startsWith("the ") ? one.equals("the old version") : NaturalOrder.NAMES.compare(one, other) < 0;
    }
}
