import org.jspecify.annotations.NullMarked;

/** Evidence in, result out. Everyone sees the public API; our own modules see what they need besides. */
@NullMarked
@SuppressWarnings("module") // those that it exports to are built later
module dev.leakline.core {
    requires com.carrotsearch.hppc;
    requires dev.leakline.growth;
    requires dev.leakline.holders;
    requires dev.leakline.python;
    requires dev.leakline.recordings;
    requires dev.leakline.texts;
    requires tools.jackson.core;
    requires transitive dev.leakline.base;
    requires static transitive org.jspecify;

    uses dev.leakline.Sources.CodeReader;
    uses dev.leakline.Sources.PatchMaker;

    exports dev.leakline;
    exports dev.leakline.compare to
            dev.leakline.app;
    exports dev.leakline.gate to
            dev.leakline.app;
}
