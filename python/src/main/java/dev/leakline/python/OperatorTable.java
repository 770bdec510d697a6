package dev.leakline.python;

import dev.leakline.python.Expr.CmpOp;
import dev.leakline.python.Expr.Operator;
import dev.leakline.python.Expr.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The operators that tokens stand for, and how strongly they bind. */
final class OperatorTable {
    /** The strength of {@code |}, the weakest of the binary operators. */
    static final int WEAKEST = 1;

    static final int SUM = 5;
    /** The strength of {@code *} and its like; that of {@code **} is beyond that of unary operators. */
    static final int STRONGEST = 6;

    private OperatorTable() {}

    static int strength(Operator operator) {
        return switch (operator) {
            case BIT_OR -> 1;
            case BIT_XOR -> 2;
            case BIT_AND -> 3;
            case L_SHIFT, R_SHIFT -> 4;
            case ADD, SUB -> SUM;
            default -> STRONGEST;
        };
    }

    static @Nullable Operator binary(Token kind) {
        return switch (kind) {
            case PLUS -> Operator.ADD;
            case MINUS -> Operator.SUB;
            case STAR -> Operator.MULT;
            case AT -> Operator.MAT_MULT;
            case SLASH -> Operator.DIV;
            case PERCENT -> Operator.MOD;
            case FLOOR -> Operator.FLOOR_DIV;
            case LEFT_SHIFT -> Operator.L_SHIFT;
            case RIGHT_SHIFT -> Operator.R_SHIFT;
            case BIT_OR -> Operator.BIT_OR;
            case BIT_XOR -> Operator.BIT_XOR;
            case BIT_AND -> Operator.BIT_AND;
            default -> null;
        };
    }

    /** The operator of an assignment, such as {@code +=}. */
    static @Nullable Operator augmented(Token kind) {
        return switch (kind) {
            case PLUS_EQUAL -> Operator.ADD;
            case MINUS_EQUAL -> Operator.SUB;
            case STAR_EQUAL -> Operator.MULT;
            case AT_EQUAL -> Operator.MAT_MULT;
            case SLASH_EQUAL -> Operator.DIV;
            case PERCENT_EQUAL -> Operator.MOD;
            case FLOOR_EQUAL -> Operator.FLOOR_DIV;
            case POWER_EQUAL -> Operator.POW;
            case LEFT_SHIFT_EQUAL -> Operator.L_SHIFT;
            case RIGHT_SHIFT_EQUAL -> Operator.R_SHIFT;
            case AND_EQUAL -> Operator.BIT_AND;
            case OR_EQUAL -> Operator.BIT_OR;
            case XOR_EQUAL -> Operator.BIT_XOR;
            default -> null;
        };
    }

    static @Nullable UnaryOperator unary(Token kind) {
        return switch (kind) {
            case PLUS -> UnaryOperator.U_ADD;
            case MINUS -> UnaryOperator.U_SUB;
            case TILDE -> UnaryOperator.INVERT;
            default -> null;
        };
    }

    /** The operator that begins with the token; {@code is not} begins as {@code is} does. */
    static @Nullable CmpOp comparison(Token kind) {
        return switch (kind) {
            case EQUAL_EQUAL -> CmpOp.EQ;
            case NOT_EQUAL -> CmpOp.NOT_EQ;
            case LESS -> CmpOp.LT;
            case LESS_EQUAL -> CmpOp.LT_E;
            case GREATER -> CmpOp.GT;
            case GREATER_EQUAL -> CmpOp.GT_E;
            case IN -> CmpOp.IN;
            case IS -> CmpOp.IS;
            case NOT -> CmpOp.NOT_IN;
            default -> null;
        };
    }
}
