package dev.leakline.lint.rule;

import dev.leakline.lint.flow.Flow;
import dev.leakline.lint.flow.FlowEvent;
import dev.leakline.lint.flow.Value;
import dev.leakline.lint.flow.Value.Device;
import dev.leakline.lint.flow.Value.Kind;
import dev.leakline.python.Expr;
import org.jspecify.annotations.Nullable;

/** Calls that put memory on a device: x.cuda(), x.to(device), torch.zeros(..., device=...), torch.load(..., map_location=...). */
final class Placements {
    private Placements() {}

    /** The device, {@link Device#UNKNOWN} where it depends on what cannot be seen, or null where nothing is placed. */
    static @Nullable Device device(FlowEvent.Call call, Flow flow) {
        Expr where = where(call);
        String method = call.node().method();
        if (method.equals("cuda") && isValue(call)) {
            return Device.GPU;
        }
        if (where == null) {
            return null;
        }
        Value value = flow.valueOf(where);
        if (!value.may(Kind.TEXT | Kind.DEVICE)) {
            return Device.UNKNOWN;
        }
        return value.device() == Device.LIKELY_GPU ? Device.UNKNOWN : value.device();
    }

    /** The expression that names the device, or null. */
    static @Nullable Expr where(FlowEvent.Call call) {
        Expr.Call node = call.node();
        Expr named = node.given("device");
        String method = node.method();
        String name = call.qualified() == null ? "" : call.qualified();
        if (name.equals("torch.load")) {
            return node.given("map_location");
        }
        if (name.startsWith("torch.") && named != null && !name.equals("torch.device")) {
            return named;
        }
        boolean places = (method.equals("to") && isValue(call)) || (method.equals("cuda") && isValue(call));
        if (!places) {
            return null;
        }
        if (named != null) {
            return named;
        }
        return node.args().isEmpty() ? null : node.args().getFirst();
    }

    /** Returns whether it is a method of something, not a function of torch. */
    private static boolean isValue(FlowEvent.Call call) {
        return call.receiver() != null
                && (call.receiver().qualified() == null
                        || !call.receiver().qualified().startsWith("torch"));
    }
}
