package dev.leakline.known.held;

import dev.leakline.python.Node;
import dev.leakline.python.Stmt;
import dev.leakline.python.flow.FlowFacts.Add;
import dev.leakline.python.keep.KeptSearch;
import dev.leakline.result.Holders.Hop;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The owner that has a collection as its attribute or variable.
 *
 * @param kind what it is
 * @param module the name of the module that it is, or whose class it is or is of; of a call or a function, its file
 * @param name the name of the class; of a call, its line; of a function that closes over a variable, where it is defined
 */
public record HeldOwner(Kind kind, String module, String name) {
    /** Kinds of owners that code names. */
    public enum Kind {
        MODULE,
        CLASS,
        CALL
    }

    private static final String WHERE = "(?<module>[^()]+):(?<name>\\d+)";
    private static final Pattern CALL = Pattern.compile("running call of [^()]*\\(" + WHERE + "\\).*");
    private static final Pattern FUNCTION = Pattern.compile("function [^()]*\\(" + WHERE + "\\)");
    private static final Pattern MODULE = Pattern.compile("module (?<module>[\\w.]+)(?<name>)");
    private static final Pattern CLASS = Pattern.compile("\\A(class )?(?<module>\\w+(\\.\\w+)*)\\.(?<name>\\w+)");

    /** That of a holder dump; empty where it is one that nobody names, such as a list in a list. */
    static Optional<HeldOwner> of(Hop hop) {
        boolean isRoot = hop.label().isEmpty();
        if (hop.type().equals("function")) {
            return of(Kind.CALL, FUNCTION.matcher(hop.text()));
        }
        return isRoot && hop.type().equals("frame")
                ? of(Kind.CALL, CALL.matcher(hop.text()))
                : isRoot && hop.type().equals("dict")
                        ? of(Kind.MODULE, MODULE.matcher(hop.text()))
                        : of(Kind.CLASS, CLASS.matcher(isRoot ? hop.text() : hop.type()));
    }

    private static Optional<HeldOwner> of(Kind kind, Matcher found) {
        return found.matches()
                ? Optional.of(new HeldOwner(kind, found.group("module"), found.group("name")))
                : Optional.empty();
    }

    /** The line of a call or a function; 0 of others. */
    public int line() {
        return kind == Kind.CALL ? Integer.parseInt(name) : 0;
    }

    /** Returns whether something is added to what it has, as far as the source shows whose that is. */
    public boolean has(KeptSearch search, Add add) {
        return switch (kind) {
            case CLASS -> search.isOf(add, name);
            case CALL -> add.file().statementAt(line()).stream().anyMatch(statement -> isWithin(add, statement));
            case MODULE -> true;
        };
    }

    /** Returns whether something is added in the function of a statement, or in one that this defines or stands in. */
    private static boolean isWithin(Add add, Stmt statement) {
        Node function = statement instanceof Stmt.FunctionDef
                ? statement
                : add.file().function(statement).orElse(null);
        return function == null
                || add.file().isIn(add.at(), function)
                || add.file()
                        .function(function)
                        .filter(around -> add.file().isIn(add.at(), around))
                        .isPresent();
    }
}
