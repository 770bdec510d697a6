package dev.leakline.report.diff;

import dev.leakline.report.FindingText;
import dev.leakline.report.html.PageFrame;
import dev.leakline.report.terminal.Labels;
import dev.leakline.result.Comparison;
import dev.leakline.result.Comparison.Change;
import dev.leakline.result.Comparison.FindingChange;
import dev.leakline.result.Comparison.SettingChange;
import dev.leakline.text.Printable;
import java.io.IOException;
import java.io.Writer;

/**
 * A comparison as one HTML file without a script, so that it can be read, searched and printed as it is: what the text says, and of each
 * device the course of its memory on both sides, on one scale.
 */
public final class DiffPage {
    /** Lines of code of a device; whoever wants more gives a number. */
    public static final int LINES = 100;

    /** The style of the page, which its policy and that of a page around it name. */
    public static final String STYLE = DiffStyle.CSS;

    /** Characters of a text; whatever is longer was not made by people. */
    private static final int LONGEST = 1000;

    private final Comparison comparison;
    private final int top;
    private final StringBuilder page = new StringBuilder();

    private DiffPage(Comparison comparison, int top) {
        this.comparison = comparison;
        this.top = top;
    }

    /**
     * Writes the page and flushes, but does not close.
     *
     * @param top lines of code to show for each device, at most
     */
    public static void write(Comparison comparison, int top, Writer out) throws IOException {
        out.write(new DiffPage(comparison, top).page());
        out.flush();
    }

    private String page() {
        String version = comparison.after().result().toolVersion();
        page.append(PageFrame.withoutScript(version, "Leakline: " + comparison.summary(), STYLE));
        page.append("<main>\n");
        headline();
        findings();
        devices();
        settings();
        caveats();
        return page.append("</main>\n</body>\n</html>\n").toString();
    }

    private void headline() {
        add("<p class=\"" + tone() + "\">", DiffWords.verdicts(comparison), "</p>\n");
        add("<h1>", comparison.summary(), "</h1>\n");
        add("<dl>\n<dt>before</dt><dd>", DiffWords.side(comparison.before()), "</dd>\n");
        add("<dt>after</dt><dd>", DiffWords.side(comparison.after()), "</dd>\n</dl>\n");
    }

    private String tone() {
        return switch (comparison.after().result().verdict()) {
            case NO_LEAK -> "verdict fall";
            case UNDETERMINED -> "verdict";
            default -> "verdict rise";
        };
    }

    private void findings() {
        if (!comparison.findings().isEmpty()) {
            page.append("<h2>Findings</h2>\n<ul class=\"findings\">\n");
            comparison.findings().forEach(this::finding);
            page.append("</ul>\n");
        }
    }

    private void finding(FindingChange change) {
        add("<li><b class=\"" + tone(change.change()) + "\">", Labels.words(change.change()), "</b>");
        add("<div><p>", FindingText.located(change.finding()), "</p>");
        add("<p class=\"faint\">", FindingChangeText.of(change), "</p></div></li>\n");
    }

    private static String tone(Change change) {
        return switch (change) {
            case NEW, WORSE -> "rise";
            case BETTER, GONE -> "fall";
            case UNCLEAR, SAME -> "level";
        };
    }

    private void devices() {
        if (!comparison.devices().isEmpty()) {
            page.append(
                    "<p class=\"faint legend\">The charts show live memory from the beginning of a recording to its end,"
                            + " before and after on one scale.</p>\n");
        }
        comparison.devices().forEach(change -> {
            add("<section>\n<h2>", DiffWords.device(comparison, change), "</h2>\n");
            page.append(new DeviceSection(change, top).html()).append("</section>\n");
        });
    }

    private void settings() {
        if (comparison.settings().isEmpty()) {
            return;
        }
        page.append("<h2>Allocator settings</h2>\n<table class=\"settings\">\n<thead><tr><th scope=\"col\">setting</th>"
                + "<th scope=\"col\">before</th><th scope=\"col\">after</th></tr></thead>\n<tbody>\n");
        for (SettingChange setting : comparison.settings()) {
            add("<tr><th scope=\"row\">", setting.name(), "</th>");
            add("<td>", DiffWords.setting(setting.before()), "</td>");
            add("<td>", DiffWords.setting(setting.after()), "</td></tr>\n");
        }
        page.append("</tbody>\n</table>\n");
    }

    private void caveats() {
        if (!comparison.caveats().isEmpty()) {
            page.append("<h2>Caveats</h2>\n<ul>\n");
            comparison.caveats().forEach(caveat -> add("<li>", caveat, "</li>\n"));
            page.append("</ul>\n");
        }
    }

    private void add(String before, String text, String after) {
        page.append(before).append(PageFrame.text(Printable.cut(text, LONGEST))).append(after);
    }
}
