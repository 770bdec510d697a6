package dev.leakline.lint.python;

import dev.leakline.python.Expr.CmpOp;
import dev.leakline.python.Expr.Operator;
import dev.leakline.python.Expr.UnaryOperator;

/** The operators as a program writes them. */
final class OperatorWords {
    private OperatorWords() {}

    static String of(Operator operator) {
        return switch (operator) {
            case ADD -> "+";
            case SUB -> "-";
            case MULT -> "*";
            case MAT_MULT -> "@";
            case DIV -> "/";
            case MOD -> "%";
            case POW -> "**";
            case L_SHIFT -> "<<";
            case R_SHIFT -> ">>";
            case BIT_OR -> "|";
            case BIT_XOR -> "^";
            case BIT_AND -> "&";
            case FLOOR_DIV -> "//";
        };
    }

    /** The operator of an assignment. */
    static String assigned(Operator operator) {
        return (of(operator) + "=").intern();
    }

    static String of(UnaryOperator operator) {
        return switch (operator) {
            case INVERT -> "~";
            case NOT -> "not";
            case U_ADD -> "+";
            case U_SUB -> "-";
        };
    }

    static String of(CmpOp operator) {
        return switch (operator) {
            case EQ -> "==";
            case NOT_EQ -> "!=";
            case LT -> "<";
            case LT_E -> "<=";
            case GT -> ">";
            case GT_E -> ">=";
            case IS -> "is";
            case IS_NOT -> "is not";
            case IN -> "in";
            case NOT_IN -> "not in";
        };
    }
}
