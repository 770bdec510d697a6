package dev.leakline.lint.rule;

import dev.leakline.lint.fix.Patch;
import dev.leakline.lint.flow.ClassModel;
import dev.leakline.lint.flow.ClassModel.Role;
import dev.leakline.lint.flow.Flow;
import dev.leakline.lint.flow.FlowEvent;
import dev.leakline.lint.flow.FunctionModel;
import dev.leakline.lint.flow.Slot;
import dev.leakline.lint.flow.Value;
import dev.leakline.lint.flow.Value.Kind;
import dev.leakline.lint.python.Syntax;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** LK006: worker processes of a DataLoader make CUDA tensors, or processes are forked after CUDA was initialised. */
public final class CudaInWorker implements RuleCheck {
    private static final Pattern SPAWNS =
            Pattern.compile("set_start_method\\(\\s*(method=)?[\"'](spawn|forkserver)[\"']");

    @Override
    public String rule() {
        return "LK006";
    }

    @Override
    public List<String> words() {
        return List.of("DataLoader", "fork", "Process", "Pool");
    }

    @Override
    public void check(Flow flow, Hits hits) {
        for (FunctionModel function : workerCode(flow)) {
            for (FlowEvent.Call call : flow.events(FlowEvent.Call.class)) {
                if (call.function() == function && Placements.device(call, flow) == Value.Device.GPU) {
                    hits.add(
                            this,
                            call.node().statement(),
                            Hits.LIKELY,
                            "worker processes of a DataLoader run this: each gets a CUDA context of its own, and its tensors are held across processes",
                            onHost(call.node()));
                }
            }
        }
        checkForks(flow, hits);
    }

    /** Without the .cuda() or .to(device) behind it. */
    private static Patch onHost(Syntax call) {
        boolean moves = Placements.methodOf(call).matches("cuda|to");
        return moves
                        && call.child("function") instanceof Syntax callee
                        && callee.child("object") instanceof Syntax object
                ? Patch.unsafe(new Patch.Edit(object.end(), call.end(), ""))
                : Patch.NONE;
    }

    /** The functions that workers run: of the datasets and the collate functions of loaders that have workers, and what those call. */
    private static Set<FunctionModel> workerCode(Flow flow) {
        Deque<FunctionModel> open = new ArrayDeque<>();
        for (FlowEvent.Call call : flow.events(FlowEvent.Call.class)) {
            String name = flow.file().qualified(call.node().text("function"));
            if (name.endsWith("DataLoader") && hasWorkers(call, flow)) {
                addDataset(call, flow, open);
                Syntax collate = argument(call.node(), "collate_fn");
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
        Set<FunctionModel> all = new LinkedHashSet<>();
        while (!open.isEmpty()) {
            FunctionModel function = open.remove();
            if (all.add(function)) {
                for (FunctionModel other : flow.file().functions()) {
                    if (other.callers.stream().anyMatch(site -> site.caller() == function) && !other.isConstructor()) {
                        open.add(other);
                    }
                }
            }
        }
        return all;
    }

    private static void addDataset(FlowEvent.Call call, Flow flow, Deque<FunctionModel> open) {
        Syntax first = argument(call.node(), "dataset");
        if (first == null
                && call.node().child("arguments") instanceof Syntax arguments
                && !arguments.children().isEmpty()
                && !arguments.children().getFirst().is("keyword_argument")) {
            first = arguments.children().getFirst();
        }
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
        Syntax workers = argument(call.node(), "num_workers");
        return workers != null && mayBePositive(workers, flow, call.function(), 0);
    }

    private static boolean mayBePositive(Syntax workers, Flow flow, FunctionModel function, int depth) {
        if (workers.is("integer")) {
            return !workers.text().equals("0");
        }
        if (workers.is("conditional_expression") && workers.children().size() == 3) {
            return mayBePositive(workers.children().getFirst(), flow, function, depth)
                    || mayBePositive(workers.children().getLast(), flow, function, depth);
        }
        if (workers.is("identifier") && depth < 3) {
            for (FunctionModel.Parameter parameter : function.parameters) {
                if (parameter.name().equals(workers.text()) && parameter.value() != null) {
                    return mayBePositive(parameter.value(), flow, function, depth + 1);
                }
            }
            if (function.variables.get(workers.text()) == null
                    && flow.file().top().variables.get(workers.text()) instanceof Slot slot) {
                for (Syntax assignment : slot.assigned.keySet()) {
                    if (assignment.child("right") instanceof Syntax right && right.is("integer")) {
                        return mayBePositive(right, flow, function, depth + 1);
                    }
                }
            }
        }
        return true;
    }

    static @Nullable Syntax argument(Syntax call, String name) {
        if (call.child("arguments") instanceof Syntax arguments) {
            for (Syntax argument : arguments.children()) {
                if (argument.is("keyword_argument") && argument.text("name").equals(name)) {
                    return argument.child("value");
                }
            }
        }
        return null;
    }

    private void checkForks(Flow flow, Hits hits) {
        boolean spawns = SPAWNS.matcher(flow.file().tree().code()).find();
        for (FlowEvent.Call call : flow.events(FlowEvent.Call.class)) {
            Syntax node = call.node();
            String name = flow.file().qualified(node.text("function"));
            if (!name.endsWith("fork") && !name.endsWith("Process") && !name.endsWith("Pool")) {
                continue;
            }
            boolean forks = name.equals("os.fork")
                    || (!spawns && name.matches("(torch\\.)?multiprocessing\\.(Process|Pool)"))
                    || (name.matches("[\\w.]+\\.(Process|Pool)") && isForkContext(node, flow));
            if (forks && isInitialised(call, flow)) {
                hits.add(
                        this,
                        node.statement(),
                        Hits.LIKELY,
                        "a process is forked after CUDA was initialised: CUDA cannot be used in it, and it holds what the parent had open",
                        Patch.NONE);
            }
        }
    }

    private static boolean isForkContext(Syntax call, Flow flow) {
        if (!(call.child("function") instanceof Syntax callee) || !(callee.child("object") instanceof Syntax object)) {
            return false;
        }
        String text = object.text();
        if (object.is("identifier")) {
            FunctionModel function = flow.file().functionAround(call);
            Slot slot = function.variables.get(text);
            slot = slot == null ? flow.file().top().variables.get(text) : slot;
            return slot != null
                    && slot.assigned.keySet().stream()
                            .anyMatch(a -> a.text().matches("(?s).*get_context\\(\\s*(method=)?[\"']fork[\"'].*"));
        }
        return text.matches("(?s).*get_context\\(\\s*(method=)?[\"']fork[\"']\\s*\\)");
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
            String name = flow.file().qualified(call.node().text("function"));
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
