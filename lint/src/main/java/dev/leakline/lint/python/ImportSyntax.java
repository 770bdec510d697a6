package dev.leakline.lint.python;

import dev.leakline.python.Node;
import dev.leakline.python.Stmt;
import java.util.ArrayList;
import java.util.List;

/** Imports and other lists of names of the parser's tree as {@link Syntax}. */
final class ImportSyntax {
    private final ExpressionSyntax expressions;
    private final SourceGaps gaps;

    ImportSyntax(ExpressionSyntax expressions, SourceGaps gaps) {
        this.expressions = expressions;
        this.gaps = gaps;
    }

    List<Syntax> names(List<Node.Alias> aliases) {
        return aliases.stream().map(this::name).toList();
    }

    private Syntax name(Node.Alias alias) {
        Syntax path = dotted(alias.start()).in("name");
        if (alias.asname() == null) {
            return path;
        }
        Syntax other =
                expressions.identifier(gaps.next(gaps.behind(path.end(), "as"))).in("alias");
        return expressions
                .node("aliased_import", alias.start(), alias.end(), path, other)
                .in("name");
    }

    /** Names between dots. */
    private Syntax dotted(int start) {
        List<Syntax> names = new ArrayList<>();
        names.add(expressions.identifier(start));
        while (gaps.hasNext(names.getLast().end(), ".")) {
            names.add(
                    expressions.identifier(gaps.next(gaps.behind(names.getLast().end(), "."))));
        }
        return expressions.node("dotted_name", start, names.getLast().end(), names);
    }

    Syntax from(Stmt.ImportFrom it) {
        int start = gaps.next(gaps.behind(gaps.behind(it.start(), "lazy"), "from"));
        List<Syntax> children = new ArrayList<>();
        boolean isFuture = "__future__".equals(it.module()) && it.level() == 0;
        if (!isFuture) {
            Syntax module = it.level() > 0 ? relative(it, start) : dotted(start);
            children.add(module.in("module_name"));
        }
        if (it.names().getFirst().name().equals("*")) {
            Node.Alias all = it.names().getFirst();
            children.add(expressions.node("wildcard_import", all.start(), all.end()));
        } else {
            children.addAll(names(it.names()));
        }
        return expressions.node(
                isFuture ? "future_import_statement" : "import_from_statement", it.start(), it.end(), children);
    }

    private Syntax relative(Stmt.ImportFrom it, int start) {
        int end = start;
        for (int dots = 0; dots < it.level(); dots++) {
            end = gaps.behind(end, ".");
        }
        if (it.module() == null) {
            return expressions.node("relative_import", start, end);
        }
        Syntax module = dotted(gaps.next(end));
        return expressions.node("relative_import", start, module.end(), module);
    }

    /** The names behind a keyword, between commas. */
    List<Syntax> words(Stmt statement, String keyword, List<String> names) {
        List<Syntax> words = new ArrayList<>();
        int at = gaps.behind(statement.start(), keyword);
        for (int i = 0; i < names.size(); i++) {
            Syntax word = expressions.identifier(gaps.next(at));
            words.add(word);
            at = gaps.behind(word.end(), ",");
        }
        return words;
    }
}
