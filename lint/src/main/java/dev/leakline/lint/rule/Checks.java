package dev.leakline.lint.rule;

import java.util.List;

/** All checks. */
public final class Checks {
    public static final List<RuleCheck> ALL = List.of(
            new GraphKept(),
            new GradModeInInference(),
            new GraphNotFreed(),
            new UnboundedStore(),
            new KnownKeepers(),
            new ReferenceCycle(),
            new CudaInWorker(),
            new MetricNeverReset(),
            new RetryInHandler(),
            new CacheOnTensors(),
            new EmptyCacheAsCure(),
            new ExceptionKept(),
            new RankOnWrongDevice(),
            new DeprecatedAmp(),
            new ResultsOnDevice(),
            new HookPileUp());

    private Checks() {}
}
