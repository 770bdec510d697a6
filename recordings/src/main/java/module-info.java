import org.jspecify.annotations.NullMarked;

/** A device's memory from recordings: bytes of snapshots and traces, lifetimes, steps, floors, peaks, and a model of the allocator. */
@NullMarked
@SuppressWarnings("module") // those that it exports to are built later
module dev.leakline.recordings {
    requires com.carrotsearch.hppc;
    requires dev.leakline.base;
    requires dev.leakline.growth;
    requires dev.leakline.holders;
    requires tools.jackson.core;
    requires static transitive org.jspecify;

    exports dev.leakline.allocator to
            dev.leakline.core,
            dev.leakline.app;
    exports dev.leakline.detect.growth to
            dev.leakline.core;
    exports dev.leakline.detect.habits to
            dev.leakline.core;
    exports dev.leakline.detect.room to
            dev.leakline.core;
    exports dev.leakline.evidence to
            dev.leakline.core;
    exports dev.leakline.join to
            dev.leakline.core;
    exports dev.leakline.levers to
            dev.leakline.core;
    exports dev.leakline.lifetime to
            dev.leakline.core;
    exports dev.leakline.peak to
            dev.leakline.core;
    exports dev.leakline.picture to
            dev.leakline.core;
    exports dev.leakline.read.snapshot to
            dev.leakline.core;
    exports dev.leakline.read.trace to
            dev.leakline.core;
    exports dev.leakline.site to
            dev.leakline.core;
    exports dev.leakline.steps to
            dev.leakline.core;
}
