import org.jspecify.annotations.NullMarked;

/** Owners of memory: object graphs of dumps, their dominators and paths. */
@NullMarked
@SuppressWarnings("module") // those that it exports to are built later
module dev.leakline.holders {
    requires com.carrotsearch.hppc;
    requires dev.leakline.base;
    requires static transitive org.jspecify;

    exports dev.leakline.holders to
            dev.leakline.recordings,
            dev.leakline.core;
    exports dev.leakline.read.dump to
            dev.leakline.core;
}
