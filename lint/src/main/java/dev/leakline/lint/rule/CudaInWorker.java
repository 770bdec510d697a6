package dev.leakline.lint.rule;

import dev.leakline.lint.fix.Patch;
import dev.leakline.lint.flow.ClassModel;
import dev.leakline.lint.flow.ClassModel.Role;
import dev.leakline.lint.flow.Flow;
import dev.leakline.lint.flow.FlowEvent;
import dev.leakline.lint.flow.FunctionModel;
import dev.leakline.lint.flow.Nodes;
import dev.leakline.lint.flow.Slot;
import dev.leakline.lint.flow.Value;
import dev.leakline.lint.flow.Value.Kind;
import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.Parentheses;
import dev.leakline.python.edit.Edit;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.regex.Pattern;

/** LK006: worker processes of a DataLoader make CUDA tensors, or processes are forked after CUDA was initialised. */
final class CudaInWorker {
    private static final Pattern SPAWNS =
            Pattern.compile("set_start_method\\(\\s*(method=)?[\"'](spawn|forkserver)[\"']");

    private CudaInWorker() {}

    static void check(Flow flow, Hits hits) {
        for (FunctionModel function : workerCode(flow)) {
            for (FlowEvent.Call call : flow.events(FlowEvent.Call.class)) {
                if (call.function() == function && Placements.device(call, flow) == Value.Device.GPU) {
                    hits.add(
                            flow.file().source().statement(call.node()),
                            Hits.LIKELY,
                            "worker processes of a DataLoader run this: each gets a CUDA context of its own, and its"
                                    + " tensors are held across processes",
                            onHost(call.node(), flow));
                }
            }
        }
        checkForks(flow, hits);
    }

    /** Without the .cuda() or .to(device) behind it. */
    private static Patch onHost(Expr.Call call, Flow flow) {
        if (!call.method().matches("cuda|to") || !(call.receiver() instanceof Expr object)) {
            return Patch.NONE;
        }
        Parentheses.Pair around = flow.file().source().python().parentheses().around(object);
        int end = around == null ? object.end() : around.end();
        return Patch.unsafe(new Edit(flow.file().source(), end, call.end(), ""));
    }

    /** The functions that workers run: of the datasets and the collate functions of loaders that have workers, and what those call. */
    private static List<FunctionModel> workerCode(Flow flow) {
        Deque<FunctionModel> open = new ArrayDeque<>();
        for (FlowEvent.Call call : flow.events(FlowEvent.Call.class)) {
            String name = flow.file().callee(call.node());
            if (name.endsWith("DataLoader") && hasWorkers(call, flow)) {
                addDataset(call, flow, open);
                Expr collate = call.node().given("collate_fn");
                if (collate != null && flow.valueOf(collate).target() instanceof FunctionModel function) {
                    open.add(function);
                }
                if (collate != null
                        && flow.valueOf(collate).target() instanceof ClassModel model
                        && model.methods.get("__call__") instanceof FunctionModel function) {
                    open.add(function);
                }
            }
        }
        return open.isEmpty()
                ? List.of()
                : flow.file().functions().stream()
                        .filter(function -> !function.isConstructor()
                                && function.withCallers().stream().anyMatch(open::contains))
                        .toList();
    }

    private static void addDataset(FlowEvent.Call call, Flow flow, Deque<FunctionModel> open) {
        Expr named = call.node().given("dataset");
        Expr first = named != null || call.node().args().isEmpty()
                ? named
                : call.node().args().getFirst();
        Value dataset = first == null ? Value.OTHER : flow.valueOf(first);
        for (ClassModel model : flow.file().classes()) {
            boolean meant = dataset.target() == model
                    || (dataset.target() == null && dataset.may(Kind.OTHER) && model.role == Role.DATASET);
            if (meant) {
                for (String name : new String[] {"__getitem__", "__iter__", "__getitems__"}) {
                    if (model.methods.get(name) instanceof FunctionModel function) {
                        open.add(function);
                    }
                }
            }
        }
    }

    private static boolean hasWorkers(FlowEvent.Call call, Flow flow) {
        Expr workers = call.node().given("num_workers");
        return workers != null && mayBePositive(workers, flow, 0);
    }

    private static boolean mayBePositive(Expr workers, Flow flow, int depth) {
        if (Nodes.isConstant(workers, Expr.Constant.Kind.INT)) {
            return !flow.file().text(workers).equals("0");
        }
        if (workers instanceof Expr.IfExp it) {
            return mayBePositive(it.body(), flow, depth) || mayBePositive(it.orelse(), flow, depth);
        }
        Slot slot = flow.valueOf(workers).slot();
        return slot == null
                || depth == 3
                || slot.assignments().stream()
                        .map(set -> set.node() instanceof Node.Arg it ? it.defaultValue() : set.right())
                        .anyMatch(set -> set == null || mayBePositive(set, flow, depth + 1));
    }

    private static void checkForks(Flow flow, Hits hits) {
        boolean spawns = SPAWNS.matcher(flow.file().code()).find();
        for (FlowEvent.Call call : flow.events(FlowEvent.Call.class)) {
            Expr.Call node = call.node();
            String name = flow.file().callee(node);
            if (!name.endsWith("fork") && !name.endsWith("Process") && !name.endsWith("Pool")) {
                continue;
            }
            boolean forks = name.equals("os.fork")
                    || (!spawns && name.matches("(torch\\.)?multiprocessing\\.(Process|Pool)"))
                    || (name.matches("[\\w.]+\\.(Process|Pool)") && isForkContext(node, flow));
            if (forks && isInitialised(call, flow)) {
                hits.add(
                        flow.file().source().statement(node),
                        Hits.LIKELY,
                        "a process is forked after CUDA was initialised: CUDA cannot be used in it, and it holds what"
                                + " the parent had open",
                        Patch.NONE);
            }
        }
    }

    private static boolean isForkContext(Expr.Call call, Flow flow) {
        Expr object = call.receiver();
        Slot slot = object == null ? null : flow.valueOf(object).slot();
        return slot == null
                ? object != null && isFork(object, flow)
                : slot.assignments().stream()
                        .anyMatch(assignment -> assignment.right() instanceof Expr right && isFork(right, flow));
    }

    private static boolean isFork(Expr context, Flow flow) {
        return flow.file().text(context).matches("(?s).*get_context\\(\\s*(method=)?[\"']fork[\"']\\s*\\)");
    }

    /** Returns whether CUDA is used before, in the same function or where the file is imported. */
    private static boolean isInitialised(FlowEvent.Call fork, Flow flow) {
        for (FlowEvent.Call call : flow.events(FlowEvent.Call.class)) {
            boolean same = call.function() == fork.function()
                    && call.node().end() <= fork.node().start();
            boolean imported = call.function().isModuleLevel();
            boolean main = imported
                    && call.node().start() > fork.node().end()
                    && fork.function().isModuleLevel();
            String name = flow.file().callee(call.node());
            boolean uses = Placements.device(call, flow) == Value.Device.GPU
                    || name.equals("torch.cuda.init")
                    || name.equals("torch.cuda.set_device")
                    || name.equals("torch.cuda.synchronize");
            if ((same || (imported && !main)) && uses) {
                return true;
            }
        }
        return false;
    }
}
