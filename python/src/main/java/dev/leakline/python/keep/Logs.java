package dev.leakline.python.keep;

import dev.leakline.python.Expr;
import dev.leakline.python.Stmt;
import dev.leakline.python.edit.Edit;
import dev.leakline.python.flow.FlowValue;
import dev.leakline.python.flow.NameSets;
import dev.leakline.python.flow.SourceFile;
import dev.leakline.python.keep.Keeper.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** Finds tensors that are given to a log whose handlers keep records. */
public final class Logs {
    private static final Pattern HANDLER = Pattern.compile("(.*\\.)?(Memory|Buffering|Queue)Handler");
    private static final Pattern CONVERSION =
            Pattern.compile("%(?:\\(\\w+\\))?[-#0 +]*[\\d*]*(?:\\.[\\d*]+)?([a-zA-Z%])");

    private final KeptSearch search;
    private final SeenProgram seen;

    /** Looks in the program of a search. */
    public Logs(KeptSearch search) {
        this.search = search;
        this.seen = search.seen();
    }

    /** The call that logs what the calls make as it is; any tensor, where it is known that records stay. */
    public Optional<Keeper> keeping(boolean isKnown) {
        return isKnown || search.calls().near().anyMatch(this::hasHandler)
                ? seen.all(Expr.Call.class)
                        .filter(call -> isLogging(call, isKnown))
                        .findFirst()
                        .map(call -> keeper(call, isKnown))
                : Optional.empty();
    }

    /** Returns whether a file has a handler that keeps records: one of Python's that buffer, or one of its own. */
    private boolean hasHandler(SourceFile file) {
        return file.nodes().stream().anyMatch(node -> switch (node) {
            case Expr.Call it -> HANDLER.matcher(file.fullName(it.func())).matches();
            case Stmt.ClassDef it ->
                it.bases().stream()
                        .anyMatch(base -> HANDLER.matcher(file.fullName(base)).matches());
            case Stmt.FunctionDef it -> it.name().equals("emit") && isStoring(it);
            default -> false;
        });
    }

    private boolean isStoring(Stmt.FunctionDef emit) {
        return emit.args().places().size() > 1
                && seen.facts().adds().stream()
                        .filter(add -> add.file().isIn(add.at(), emit))
                        .anyMatch(add ->
                                add.value().isName(emit.args().places().get(1).arg()));
    }

    private boolean isLogging(Expr.Call call, boolean isKnown) {
        return call.receiver() instanceof Expr log
                && NameSets.has("LEVELS", call.method())
                && seen.file(call).text(log).toLowerCase(Locale.ROOT).contains("log")
                && call.args().stream().anyMatch(given -> isTensor(given, isKnown));
    }

    private boolean isTensor(Expr given, boolean isKnown) {
        FlowValue value = seen.facts().value(given);
        return value.mayHaveTensor()
                && !value.isPlain()
                && (isKnown || search.calls().isMade(given));
    }

    private Keeper keeper(Expr.Call call, boolean isKnown) {
        SourceFile file = seen.file(call);
        List<String> verbs = CONVERSION
                .matcher(file.text(call.args().getFirst()))
                .results()
                .map(found -> found.group(1))
                .filter(verb -> !verb.equals("%"))
                .toList();
        List<Edit> edits = new ArrayList<>();
        for (int i = 1; i < call.args().size(); i++) {
            Expr given = call.args().get(i);
            String verb = i <= verbs.size() ? verbs.get(i - 1) : "s";
            FlowValue value = seen.facts().value(given);
            if (verb.equals("s") || verb.equals("r")) {
                if (value.mayHaveTensor() && !value.isPlain()) {
                    edits.add(Edit.replace(file, given, "str(" + file.text(given) + ")"));
                }
            } else if (isTensor(given, isKnown)) {
                edits.add(Edit.call(file, given, ".item()"));
            }
        }
        return Keeper.guess(
                Kind.LOG_RECORDS,
                file,
                call,
                List.of(Cure.review(
                        Cure.Kind.AS_TEXT, edits, "The text is made at once, also where no handler writes it.")));
    }
}
