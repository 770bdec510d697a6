package dev.leakline.report;

import dev.leakline.report.terminal.Page;
import dev.leakline.report.terminal.Style;
import dev.leakline.result.Finding.Advice;
import java.util.List;
import java.util.function.UnaryOperator;

/** Prints advice about a finding, with the lines to change or the patch that changes them. */
final class AdviceText {
    private final Style style;
    private final Page page;

    private AdviceText(Style style, Page page) {
        this.style = style;
        this.page = page;
    }

    static List<String> lines(List<Advice> advice, Style style) {
        AdviceText text = new AdviceText(style, new Page(style));
        text.page.text("what to do");
        for (int i = 0; i < advice.size(); i++) {
            text.advice(i + 1, advice.get(i));
        }
        return text.page.lines();
    }

    /** The change that an advice has, as a patch or as lines; nothing where it has none. */
    static void change(Advice advice, Page page, Style style) {
        new AdviceText(style, page).change(advice);
    }

    private void change(Advice advice) {
        code("- ", advice.before(), style::alarm);
        code("+ ", advice.after(), style::good);
        if (advice.patch() != null) {
            page.wrap("     ", advice.safety(), UnaryOperator.identity());
            patch(advice.patch());
        }
    }

    private void advice(int number, Advice advice) {
        page.wrap("  " + number + ". ", advice.action(), style::bold);
        page.wrap("     ", advice.why(), UnaryOperator.identity());
        change(advice);
        if (!advice.link().isBlank()) {
            page.wrap("     ", advice.link(), style::faint);
        }
    }

    /** Whole, however narrow the terminal: what is cut reads the same before and after. */
    private void code(String sign, String code, UnaryOperator<String> look) {
        if (!code.isBlank()) {
            code.lines().forEach(line -> page.line(look.apply("       " + sign + SourceText.code(line))));
        }
    }

    /** As it is, from the first column on, so that what the command prints can be given to git apply or to patch. */
    private void patch(String patch) {
        page.blank();
        patch.lines().map(this::painted).forEach(page::line);
        page.blank();
    }

    private String painted(String line) {
        String shown = SourceText.exact(line);
        return switch (line.isEmpty() ? ' ' : line.charAt(0)) {
            case '-' -> style.alarm(shown);
            case '+' -> style.good(shown);
            default -> shown;
        };
    }
}
