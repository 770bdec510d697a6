package dev.leakline.lint.rule;

import dev.leakline.lint.fix.Patch;
import dev.leakline.lint.fix.Rewriting;
import dev.leakline.lint.flow.Flow;
import dev.leakline.lint.flow.FlowEvent;
import dev.leakline.lint.flow.FunctionModel;
import dev.leakline.lint.flow.Slot;
import dev.leakline.lint.python.Syntax;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** LK012: a process of a distributed job puts memory on device 0 whatever its rank. */
public final class RankOnWrongDevice implements RuleCheck {
    @Override
    public String rule() {
        return "LK012";
    }

    @Override
    public void check(Flow flow, Hits hits) {
        String text = flow.file().tree().code();
        if (!text.contains("init_process_group")
                && !text.contains("DistributedDataParallel")
                && !text.contains("LOCAL_RANK")) {
            return;
        }
        for (FlowEvent.Call call : flow.events(FlowEvent.Call.class)) {
            Integer device = number(call, flow);
            if (device == null
                    || !isDistributed(call.function(), flow, new HashSet<>())
                    || isOfFirstRank(call.node())) {
                continue;
            }
            boolean chosen = isSetBefore(call, flow);
            boolean load = "torch.load".equals(call.qualified());
            boolean exact = device == 0;
            if (exact ? load || !chosen || !chosen : !chosen) {
                hits.add(
                        this,
                        call.node().statement(),
                        Hits.LIKELY,
                        "every rank puts this on device 0: nothing chose the device of the rank before (torch.cuda.set_device, or a device by rank)",
                        load && where(call, flow) instanceof Syntax location
                                ? Patch.safe(Rewriting.replace(location, "\"cpu\""))
                                : Patch.NONE);
            }
        }
    }

    private static @Nullable Syntax where(FlowEvent.Call call, Flow flow) {
        return Placements.where(call, flow);
    }

    /** 0 where the device is cuda:0, -1 where it is the current one, null where it is something else. */
    private static @Nullable Integer number(FlowEvent.Call call, Flow flow) {
        String method = Placements.methodOf(call.node());
        Syntax where = Placements.where(call, flow);
        if (where == null) {
            boolean bare = method.equals("cuda")
                    && call.node().text("arguments").matches("\\(\\s*(non_blocking=\\w+)?\\s*\\)");
            return bare && call.receiver() != null && call.receiver().qualified() == null ? -1 : null;
        }
        return numberOf(where, flow, 0);
    }

    private static @Nullable Integer numberOf(Syntax where, Flow flow, int depth) {
        String text = where.text();
        if (text.matches("[\"']cuda:0[\"']") || text.equals("0")) {
            return 0;
        }
        if (text.matches("[\"']cuda[\"']")) {
            return -1;
        }
        if (where.is("conditional_expression") && where.children().size() == 3) {
            return numberOf(where.children().getFirst(), flow, depth);
        }
        if (where.is("call")
                && flow.file().qualified(where.text("function")).equals("torch.device")
                && where.child("arguments") instanceof Syntax arguments
                && arguments.children().size() == 1) {
            return numberOf(arguments.children().getFirst(), flow, depth);
        }
        if (where.is("identifier") && depth < 3) {
            FunctionModel function = flow.file().functionAround(where);
            Slot slot = function.variables.get(text);
            slot = slot == null ? flow.file().top().variables.get(text) : slot;
            if (slot != null && slot.assigned.size() == 1) {
                Syntax assignment = slot.assigned.keySet().iterator().next();
                return assignment.is("assignment") && assignment.child("right") instanceof Syntax right
                        ? numberOf(right, flow, depth + 1)
                        : null;
            }
        }
        return null;
    }

    /** Returns whether the function is of a distributed process: it joins the group, reads its rank, or is called where that is done. */
    private static boolean isDistributed(FunctionModel function, Flow flow, Set<FunctionModel> seen) {
        if (!seen.add(function)) {
            return false;
        }
        for (FlowEvent.Call call : flow.events(FlowEvent.Call.class)) {
            String name = flow.file().qualified(call.node().text("function"));
            if (call.function() == function
                    && (name.endsWith("init_process_group")
                            || name.endsWith("DistributedDataParallel")
                            || name.endsWith("distributed.get_rank"))) {
                return true;
            }
        }
        if (!function.isModuleLevel() && function.node.text().contains("LOCAL_RANK")) {
            return true;
        }
        return function.callers.stream().anyMatch(site -> isDistributed(site.caller(), flow, seen));
    }

    private static boolean isSetBefore(FlowEvent.Call place, Flow flow) {
        return isSet(place.function(), place.node(), flow, new HashSet<>());
    }

    /** Returns whether the process chooses its device before the node: in this function, in one called before, or in all that call it. */
    private static boolean isSet(FunctionModel function, Syntax node, Flow flow, Set<FunctionModel> seen) {
        if (!seen.add(function)) {
            return false;
        }
        for (FlowEvent.Call call : flow.events(FlowEvent.Call.class)) {
            if ((call.function() != function && !call.function().isModuleLevel())
                    || (call.node().start() >= node.start() && call.function() == function)) {
                continue;
            }
            if (choosesDevice(call, flow)) {
                return true;
            }
            for (FunctionModel called : flow.file().functions()) {
                if (called.callers.stream().anyMatch(site -> site.call() == call.node())
                        && flow.events(FlowEvent.Call.class).stream()
                                .anyMatch(inner -> inner.function() == called && choosesDevice(inner, flow))) {
                    return true;
                }
            }
        }
        String around = function.isModuleLevel() ? "" : function.node.text();
        if (around.contains("CUDA_VISIBLE_DEVICES") || isWithDevice(node)) {
            return true;
        }
        return !function.callers.isEmpty()
                && function.callers.stream().allMatch(site -> isSet(site.caller(), site.call(), flow, seen));
    }

    private static boolean choosesDevice(FlowEvent.Call call, Flow flow) {
        String name = flow.file().qualified(call.node().text("function"));
        return name.equals("torch.cuda.set_device")
                || name.equals("torch.accelerator.set_device_index")
                || name.equals("torch.set_default_device");
    }

    private static boolean isWithDevice(Syntax node) {
        for (Syntax with = node.enclosing("with_statement"); with != null; with = with.enclosing("with_statement")) {
            if (with.first("with_clause") instanceof Syntax clause
                    && clause.text().contains("cuda.device(")) {
                return true;
            }
        }
        return false;
    }

    private static boolean isOfFirstRank(Syntax node) {
        for (Syntax up = node.parent(); up != null; up = up.parent()) {
            if (up.is("if_statement") && up.text("condition").matches("(?s).*(rank|is_main|is_master|master).*")) {
                return true;
            }
        }
        return false;
    }
}
