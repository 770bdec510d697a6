import org.jspecify.annotations.NullMarked;

/** Growth of what is held, how fast and until when: statistics of levels, figures over time, processes that run, and profiled calls. */
@NullMarked
@SuppressWarnings("module") // those that it exports to are built later
module dev.leakline.growth {
    requires com.carrotsearch.hppc;
    requires dev.leakline.base;
    requires hipparchus.core;
    requires hipparchus.stat;
    requires tools.jackson.core;
    requires static transitive org.jspecify;

    exports dev.leakline.functions to
            dev.leakline.core,
            dev.leakline.jvm,
            dev.leakline.app;
    exports dev.leakline.functions.gpumemprof to
            dev.leakline.jvm,
            dev.leakline.app;
    exports dev.leakline.live to
            dev.leakline.core,
            dev.leakline.app;
    exports dev.leakline.read.samples to
            dev.leakline.core,
            dev.leakline.app;
    exports dev.leakline.series to
            dev.leakline.core,
            dev.leakline.app;
    exports dev.leakline.statistics to
            dev.leakline.recordings,
            dev.leakline.core;
}
