package dev.leakline.lint.rule;

import dev.leakline.lint.fix.Patch;
import dev.leakline.lint.flow.Flow;
import dev.leakline.lint.flow.FlowEvent;
import dev.leakline.lint.flow.FunctionModel;
import dev.leakline.lint.flow.LoopModel;
import dev.leakline.lint.flow.Origin;
import dev.leakline.lint.flow.Value;
import dev.leakline.python.flow.Certainty;
import dev.leakline.python.flow.Program;
import dev.leakline.python.flow.SourceFile;
import dev.leakline.python.keep.Keeper;
import dev.leakline.python.keep.Kept;
import dev.leakline.python.keep.KeptSearch;
import dev.leakline.python.keep.Logs;
import dev.leakline.python.keep.Tasks;
import dev.leakline.python.keep.WeakKeys;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** LK004: keepers that reports look for too, asked of each function with a forward pass: dicts with weak keys whose values refer to their keys, tasks that have ended, records of logs. */
final class KnownKeepers {
    private KnownKeepers() {}

    static void check(Flow flow, Hits hits) {
        Program program = new Program((_, _) -> null);
        program.add(flow.file().source());
        Set<FunctionModel> seen = new HashSet<>();
        for (Origin pass : flow.origins()) {
            if (pass.type == Origin.Type.FORWARD && seen.add(pass.function)) {
                KeptSearch search =
                        new KeptSearch(program, calls(pass, flow.file().source()));
                Stream.of(
                                new WeakKeys(search).referringBack().filter(keeper -> isOnDevice(keeper, flow)),
                                new Tasks(search).kept(),
                                new Logs(search).keeping(false))
                        .flatMap(Optional::stream)
                        .forEach(keeper -> add(keeper, hits));
            }
        }
    }

    /** Looks for what a program that is all in one file keeps of what its steps compute, at lines where no other rule finds anything. */
    static void checkProgram(Flow flow, Hits hits) {
        Program program = new Program((_, _) -> null);
        program.add(flow.file().source());
        Set<FunctionModel> seen = new HashSet<>();
        for (Origin pass : flow.origins()) {
            boolean isOfSteps = flow.isPerStep(pass.function)
                    || LoopModel.andAround(pass.loop).stream().anyMatch(LoopModel::isSteps);
            if (pass.type == Origin.Type.FORWARD
                    && isOfSteps
                    && pass.isModule.compareTo(Certainty.LIKELY) >= 0
                    && flow.valueOf(pass.node).device() != Value.Device.CPU
                    && seen.add(pass.function)) {
                KeptSearch search =
                        new KeptSearch(program, calls(pass, flow.file().source()));
                search.find(false)
                        .filter(kept -> (kept.isMade()
                                        || isWhole(flow.valueOf(kept.add().value())))
                                && kept.add().added().hasTensor()
                                && !kept.add().isBounded()
                                && !search.isEmptied(kept))
                        .filter(kept -> !hits.isAt(kept.line()) && !goesBackward(kept, flow))
                        .ifPresent(kept -> hits.add(
                                kept.add().at(),
                                Hits.LIKELY,
                                UnboundedStore.GROWING.formatted(Hits.shortened(
                                        flow.file().text(kept.add().value())))));
            }
        }
    }

    /** Returns whether a value is a tensor on the device that is more than a number. */
    private static boolean isWhole(Value value) {
        return Tensors.isOnDevice(value) && !value.scalar();
    }

    private static boolean goesBackward(Kept kept, Flow flow) {
        return flow.events(FlowEvent.Store.class).stream()
                .anyMatch(store -> store.node() == kept.add().at() && store.isBackwarded());
    }

    /** The calls that lead to a pass, the innermost first, as a recording would have them: one way of several. */
    private static List<KeptSearch.Call> calls(Origin pass, SourceFile file) {
        List<KeptSearch.Call> calls = new ArrayList<>();
        calls.add(new KeptSearch.Call(file, file.line(pass.node)));
        FunctionModel function = pass.function;
        while (calls.size() < KeptSearch.CALLS && !function.callers.isEmpty()) {
            FunctionModel.CallSite site = function.callers.getFirst();
            calls.add(new KeptSearch.Call(file, file.line(site.call())));
            function = site.caller();
        }
        return calls;
    }

    /** Returns whether what is put somewhere at a keeper's line holds memory of a device. */
    private static boolean isOnDevice(Keeper keeper, Flow flow) {
        return flow.events(FlowEvent.Store.class).stream()
                .anyMatch(store -> keeper.at().covers(store.node()) && Tensors.isOnDevice(store.value()));
    }

    private static void add(Keeper keeper, Hits hits) {
        hits.add(
                keeper.at(),
                keeper.isGuess() ? Hits.POSSIBLE : Hits.LIKELY,
                switch (keeper.kind()) {
                    case TASKS -> "the task is kept when it is done, and with it what its function gave back";
                    case LOG_RECORDS -> "a handler keeps the records, and they the tensors that they are given";
                    default -> "the value refers to its key, which a dict with weak keys then never frees";
                },
                keeper.cures().stream()
                        .findFirst()
                        .map(cure -> new Patch(cure.edits(), cure.isSafe()))
                        .orElse(Patch.NONE));
    }
}
