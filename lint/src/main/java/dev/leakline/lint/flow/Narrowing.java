package dev.leakline.lint.flow;

import dev.leakline.lint.flow.Value.Kind;
import dev.leakline.python.Expr;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Takes from the values of variables what a condition rules out: None, tensors, all but tensors. */
final class Narrowing {
    /** Classes of tensors, whatever library they come from; TensorBox and TensorMetadata are none. */
    private static final Pattern TENSOR_TYPE = Pattern.compile("(?<!_)(Tensor|Parameter)(Types?)?\\b|\\bVariable\\b");
    /** A variable that holds classes nobody can tell. */
    private static final Pattern UNKNOWN_TYPE = Pattern.compile("^_?[a-z]\\w*$|[Tt]ypes?\\b");

    private final FileModel file;

    Narrowing(FileModel file) {
        this.file = file;
    }

    /** Keeps what a condition says of the variables in it, where it holds or does not. */
    void narrow(Expr condition, boolean holds, Scope frame) {
        switch (condition) {
            case Expr.UnaryOp it when it.op() == Expr.UnaryOperator.NOT -> narrow(it.operand(), !holds, frame);
            case Expr.BoolOp it
            when holds == (it.op() == Expr.BoolOperator.AND) -> it.values().forEach(part -> narrow(part, holds, frame));
            case Expr.Compare it -> {
                boolean is = it.ops().getFirst() == Expr.CmpOp.IS;
                boolean none = Nodes.isConstant(it.comparators().getLast(), Expr.Constant.Kind.NONE)
                        && (is || it.ops().getFirst() == Expr.CmpOp.IS_NOT);
                if (none
                        && is != holds
                        && it.left() instanceof Expr.Name name
                        && frame.variables.get(name.id()) instanceof Value value) {
                    frame.variables.put(name.id(), value.without(Kind.NONE));
                }
            }
            case Expr.Call it -> narrowByCall(it, holds, frame);
            default -> {}
        }
    }

    private void narrowByCall(Expr.Call call, boolean holds, Scope frame) {
        if (holds) {
            narrowToOther(call, frame);
        }
        if (testedTensor(call) instanceof Expr.Name tested && frame.variables.get(tested.id()) instanceof Value value) {
            frame.variables.put(
                    tested.id(),
                    holds
                            ? value.withKinds(Kind.TENSOR)
                            : value.detached()
                                    .withKinds(value.without(Kind.TENSOR).kinds() | Kind.NUMBER)
                                    .without(Kind.OTHER));
        }
    }

    /** Where isinstance(x, SomeClass) holds of a class that is no tensor's, x is none. */
    private void narrowToOther(Expr.Call call, Scope frame) {
        if (!Nodes.isName(call.func(), "isinstance")
                || call.args().size() != 2
                || !(call.args().getFirst() instanceof Expr.Name tested)
                || !(frame.variables.get(tested.id()) instanceof Value value)
                || !value.may(Kind.TENSOR)) {
            return;
        }
        Expr type = call.args().getLast();
        String text = file.text(type);
        boolean named = Nodes.isPlace(type) || type instanceof Expr.Tuple;
        boolean other =
                !TENSOR_TYPE.matcher(text).find() && !UNKNOWN_TYPE.matcher(text).find();
        if (named && other) {
            Value rest = value.detached().without(Kind.TENSOR);
            frame.variables.put(tested.id(), rest.kinds() == 0 ? Value.OTHER : rest);
        }
    }

    /** The x of isinstance(x, torch.Tensor), torch.is_tensor(x), hasattr(x, "item"); else null. */
    private @Nullable Expr testedTensor(Expr.Call call) {
        if (call.args().isEmpty()) {
            return null;
        }
        String callee = file.text(call.func());
        String rest = file.arguments(call);
        return callee.endsWith("is_tensor")
                        || (callee.equals("isinstance")
                                && TENSOR_TYPE.matcher(rest).find())
                        || (callee.equals("hasattr") && (rest.contains("item") || rest.contains("detach")))
                ? call.args().getFirst()
                : null;
    }
}
