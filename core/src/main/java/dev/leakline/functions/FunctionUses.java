package dev.leakline.functions;

import dev.leakline.columns.ProfiledCall;
import dev.leakline.result.FunctionReport.FunctionUse;
import dev.leakline.result.FunctionReport.Summary;
import java.util.ArrayList;
import java.util.List;

/** What functions took and kept, without any judgement. */
final class FunctionUses {
    private FunctionUses() {}

    /** All calls together. */
    static Summary summary(Profiled profiled) {
        List<ProfiledCall> calls = profiled.calls();
        return new Summary(
                profiled.functions().size(),
                calls.size(),
                calls.stream().mapToLong(ProfiledCall::allocated).sum(),
                calls.stream().mapToDouble(ProfiledCall::seconds).sum(),
                calls.isEmpty() ? Double.NaN : calls.getLast().after().time());
    }

    /** Each function, in the order of their first calls. */
    static List<FunctionUse> of(Profiled profiled) {
        List<FunctionUse> uses = new ArrayList<>();
        profiled.functions()
                .forEach((function, calls) -> uses.add(new FunctionUse(
                        function,
                        calls.size(),
                        calls.stream().mapToDouble(ProfiledCall::seconds).sum(),
                        calls.stream().mapToLong(ProfiledCall::allocated).sum(),
                        calls.stream().mapToLong(ProfiledCall::freed).sum(),
                        calls.stream()
                                .mapToLong(call -> call.peak().allocated())
                                .max()
                                .orElse(0),
                        calls.stream().mapToLong(Peaks::ownOf).max().orElse(0))));
        return uses;
    }
}
