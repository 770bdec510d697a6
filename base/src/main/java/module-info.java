import org.jspecify.annotations.NullMarked;

/**
 * Things that all rooms speak of: numbers and words, columns, object graphs, results and their codec, bytes and their formats, and the
 * field's knowledge as data. Everyone sees the results and the packed columns that they are made of; our own modules see what they need besides.
 */
@NullMarked
@SuppressWarnings("module") // those that it exports to are built later
module dev.leakline.base {
    requires com.carrotsearch.hppc;
    requires com.github.luben.zstd_jni;
    requires io.avaje.jsonb;
    requires tools.jackson.core;
    requires static transitive org.jspecify;

    provides io.avaje.jsonb.spi.JsonbExtension with
            dev.leakline.result.jsonb.GeneratedJsonComponent;

    exports dev.leakline.primitive;
    exports dev.leakline.result;
    exports dev.leakline.codec to
            dev.leakline.holders,
            dev.leakline.core,
            dev.leakline.report,
            dev.leakline.fleet,
            dev.leakline.app;
    exports dev.leakline.columns to
            dev.leakline.growth,
            dev.leakline.holders,
            dev.leakline.recordings,
            dev.leakline.texts,
            dev.leakline.core,
            dev.leakline.jvm,
            dev.leakline.app;
    exports dev.leakline.finding to
            dev.leakline.growth,
            dev.leakline.recordings,
            dev.leakline.texts,
            dev.leakline.core;
    exports dev.leakline.hash to
            dev.leakline.holders,
            dev.leakline.recordings;
    exports dev.leakline.known to
            dev.leakline.growth,
            dev.leakline.holders,
            dev.leakline.recordings,
            dev.leakline.texts,
            dev.leakline.core,
            dev.leakline.app;
    exports dev.leakline.objects to
            dev.leakline.holders,
            dev.leakline.recordings,
            dev.leakline.core;
    exports dev.leakline.source to
            dev.leakline.growth,
            dev.leakline.holders,
            dev.leakline.recordings,
            dev.leakline.texts,
            dev.leakline.core,
            dev.leakline.attach,
            dev.leakline.fleet,
            dev.leakline.app;
    exports dev.leakline.text to
            dev.leakline.growth,
            dev.leakline.holders,
            dev.leakline.recordings,
            dev.leakline.texts,
            dev.leakline.core,
            dev.leakline.report,
            dev.leakline.jvm,
            dev.leakline.attach,
            dev.leakline.lint,
            dev.leakline.fleet,
            dev.leakline.app;
}
