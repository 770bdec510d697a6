import org.jspecify.annotations.NullMarked;

/**
 * Evidence in, result out. Everyone sees the public API, the results, and the packed columns that results are made of; our own modules
 * see what they need besides.
 */
@NullMarked
@SuppressWarnings("module") // those that it exports to are built later
module dev.leakline.core {
    requires com.carrotsearch.hppc;
    requires com.github.luben.zstd_jni;
    requires dev.leakline.python;
    requires hipparchus.core;
    requires hipparchus.stat;
    requires io.avaje.jsonb;
    requires tools.jackson.core;
    requires static transitive org.jspecify;

    uses dev.leakline.Sources.CodeReader;
    uses dev.leakline.Sources.PatchMaker;

    provides io.avaje.jsonb.spi.JsonbExtension with
            dev.leakline.result.jsonb.GeneratedJsonComponent;

    exports dev.leakline;
    exports dev.leakline.primitive;
    exports dev.leakline.result;
    exports dev.leakline.allocator to
            dev.leakline.app;
    exports dev.leakline.codec to
            dev.leakline.report,
            dev.leakline.fleet,
            dev.leakline.app;
    exports dev.leakline.columns to
            dev.leakline.jvm,
            dev.leakline.app;
    exports dev.leakline.compare to
            dev.leakline.app;
    exports dev.leakline.functions to
            dev.leakline.jvm,
            dev.leakline.app;
    exports dev.leakline.functions.gpumemprof to
            dev.leakline.jvm,
            dev.leakline.app;
    exports dev.leakline.gate to
            dev.leakline.app;
    exports dev.leakline.host to
            dev.leakline.app;
    exports dev.leakline.known to
            dev.leakline.lint;
    exports dev.leakline.live to
            dev.leakline.app;
    exports dev.leakline.read.figures to
            dev.leakline.app;
    exports dev.leakline.read.samples to
            dev.leakline.app;
    exports dev.leakline.source to
            dev.leakline.fleet,
            dev.leakline.app;
    exports dev.leakline.text to
            dev.leakline.report,
            dev.leakline.jvm,
            dev.leakline.attach,
            dev.leakline.lint,
            dev.leakline.fleet,
            dev.leakline.app;
}
