package dev.leakline.lint.rule;

import dev.leakline.lint.fix.Patch;
import dev.leakline.lint.flow.Flow;
import dev.leakline.lint.flow.FlowEvent;
import dev.leakline.lint.flow.FunctionModel;
import dev.leakline.lint.flow.Nodes;
import dev.leakline.lint.flow.Slot;
import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.Stmt;
import dev.leakline.python.edit.Edit;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** LK012: a process of a distributed job puts memory on device 0 whatever its rank. */
final class RankOnWrongDevice {
    private RankOnWrongDevice() {}

    static void check(Flow flow, Hits hits) {
        String text = flow.file().code();
        if (!text.contains("init_process_group")
                && !text.contains("DistributedDataParallel")
                && !text.contains("LOCAL_RANK")) {
            return;
        }
        Set<FunctionModel> choosers = flow.events(FlowEvent.Call.class).stream()
                .filter(call -> choosesDevice(call, flow))
                .map(FlowEvent.Call::function)
                .collect(Collectors.toSet());
        List<FlowEvent.Call> choosing = flow.events(FlowEvent.Call.class).stream()
                .filter(call -> flow.called(call).anyMatch(choosers::contains)
                        || (choosers.contains(call.function()) && choosesDevice(call, flow)))
                .toList();
        for (FlowEvent.Call call : flow.events(FlowEvent.Call.class)) {
            Integer device = number(call, flow);
            if (device == null
                    || call.function().withCallers().stream().noneMatch(function -> isDistributed(function, flow))
                    || isOfFirstRank(call.node(), flow)) {
                continue;
            }
            boolean chosen = isSet(call.function(), call.node(), choosing, flow, new HashSet<>());
            boolean load = "torch.load".equals(call.qualified());
            boolean exact = device == 0;
            if (!chosen || (exact && load)) {
                hits.add(
                        flow.file().source().statement(call.node()),
                        Hits.LIKELY,
                        "every rank puts this on device 0: nothing chose the device of the rank before"
                                + " (torch.cuda.set_device, or a device by rank)",
                        load && Placements.where(call) instanceof Expr location
                                ? Patch.safe(Edit.replace(flow.file().source(), location, "\"cpu\""))
                                : Patch.NONE);
            }
        }
    }

    /** 0 where the device is cuda:0, -1 where it is the current one, null where it is something else. */
    private static @Nullable Integer number(FlowEvent.Call call, Flow flow) {
        String method = call.node().method();
        Expr where = Placements.where(call);
        if (where == null) {
            boolean bare = method.equals("cuda")
                    && flow.file().arguments(call.node()).matches("\\(\\s*(non_blocking=\\w+)?\\s*\\)");
            return bare && call.receiver() != null && call.receiver().qualified() == null ? -1 : null;
        }
        return numberOf(where, flow, 0);
    }

    private static @Nullable Integer numberOf(Expr where, Flow flow, int depth) {
        String text = flow.file().text(where);
        if (text.matches("[\"']cuda:0[\"']") || text.equals("0")) {
            return 0;
        }
        if (text.matches("[\"']cuda[\"']")) {
            return -1;
        }
        return switch (where) {
            case Expr.IfExp it -> numberOf(it.body(), flow, depth);
            case Expr.Call it
            when flow.file().callee(it).equals("torch.device")
                    && it.args().size() == 1
                    && it.keywords().isEmpty() -> numberOf(it.args().getFirst(), flow, depth);
            case Expr.Name it
            when depth < 3 -> {
                Slot slot = flow.valueOf(it).slot();
                Slot.Assignment only = slot == null ? null : slot.onlyAssignment();
                yield only != null && Nodes.isAssignment(only.node()) && only.right() instanceof Expr right
                        ? numberOf(right, flow, depth + 1)
                        : null;
            }
            default -> null;
        };
    }

    /** The text of a function; empty of the file itself. */
    private static String text(FunctionModel function, Flow flow) {
        return function.node == null ? "" : flow.file().text(function.node);
    }

    /** Returns whether the function is of a distributed process: it joins the group, reads its rank, or is called where that is done. */
    private static boolean isDistributed(FunctionModel function, Flow flow) {
        return text(function, flow).contains("LOCAL_RANK")
                || flow.calls(function)
                        .map(call -> flow.file().callee(call.node()))
                        .anyMatch(name -> name.endsWith("init_process_group")
                                || name.endsWith("DistributedDataParallel")
                                || name.endsWith("distributed.get_rank"));
    }

    /** Returns whether the process chooses its device before the node: in this function, in one called before, or in all that call it. */
    private static boolean isSet(
            FunctionModel function, Expr node, List<FlowEvent.Call> choosing, Flow flow, Set<FunctionModel> seen) {
        if (!seen.add(function)) {
            return false;
        }
        boolean before = choosing.stream()
                .anyMatch(call -> call.function() == function
                        ? call.node().start() < node.start()
                        : call.function().isModuleLevel());
        return before
                || text(function, flow).contains("CUDA_VISIBLE_DEVICES")
                || isWithDevice(node, flow)
                || (!function.callers.isEmpty()
                        && function.callers.stream()
                                .allMatch(site -> isSet(site.caller(), site.call(), choosing, flow, seen)));
    }

    private static boolean choosesDevice(FlowEvent.Call call, Flow flow) {
        String name = flow.file().callee(call.node());
        return name.equals("torch.cuda.set_device")
                || name.equals("torch.accelerator.set_device_index")
                || name.equals("torch.set_default_device");
    }

    private static boolean isWithDevice(Node node, Flow flow) {
        return flow.file()
                        .enclosing(
                                node,
                                up -> up instanceof Stmt.With it
                                        && it.items().stream()
                                                .anyMatch(item ->
                                                        flow.file().text(item).contains("cuda.device(")))
                != null;
    }

    private static boolean isOfFirstRank(Node node, Flow flow) {
        return flow.file()
                        .enclosing(
                                node,
                                up -> up instanceof Stmt.If it
                                        && flow.file()
                                                .text(it.test())
                                                .matches("(?s).*(rank|is_main|is_master|master).*"))
                != null;
    }
}
