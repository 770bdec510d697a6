package dev.leakline.report.document;

import dev.leakline.text.Printable;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Text within Markdown as GitHub and GitLab show it; what a recording says can neither be markup, nor a link, nor call anybody. */
final class Markdown {
    /** The longest text: a longer one fills a comment, which may have 65,536 characters. */
    private static final int LONGEST = 400;

    private static final Pattern MARKUP = Pattern.compile("[\\\\`*_\\[\\](){}~|$!]");
    /** {@code @name} calls somebody and {@code #1} links an issue, unless something that is not seen stands between. */
    private static final Pattern MENTION = Pattern.compile("[@#]");
    /** A colon within an address of the web makes it a link. */
    private static final Pattern ADDRESS = Pattern.compile("(?i)(https?|ftp|mailto|www)(?=[:.])");

    private static final Pattern TICKS = Pattern.compile("`+");

    private Markdown() {}

    /** A text in one line. */
    static String text(String text) {
        return ADDRESS.matcher(MENTION.matcher(markup(text)).replaceAll("$0&#8203;"))
                .replaceAll("$1&#8203;");
    }

    /** Names of files and functions, which can be copied as they are. */
    static String code(String text) {
        return "<code>" + markup(text) + "</code>";
    }

    private static String markup(String text) {
        String line = Printable.of(text.lines().collect(Collectors.joining(" ")), LONGEST)
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;");
        return MARKUP.matcher(line).replaceAll("\\\\$0");
    }

    /** Lines as they are, in a block whose fence is longer than any row of back ticks in them; their tabs stay. */
    static String block(String language, String lines) {
        int longest = TICKS.matcher(lines)
                .results()
                .mapToInt(row -> row.end() - row.start())
                .max()
                .orElse(0);
        String fence = "`".repeat(Math.max(longest + 1, 3));
        String shown = lines.lines().map(Markdown::exact).collect(Collectors.joining("\n"));
        return fence + language + "\n" + shown + "\n" + fence + "\n";
    }

    private static String exact(String line) {
        return Stream.of(line.split("\t", -1)).map(Printable::of).collect(Collectors.joining("\t"));
    }

    /** A part that is shown when somebody asks for it. */
    static String folded(String summary, String content) {
        return "<details><summary>" + summary + "</summary>\n\n" + content + "\n</details>\n";
    }
}
