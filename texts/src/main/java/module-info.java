import org.jspecify.annotations.NullMarked;

/** Lines that machines print, read by their grammar: messages, tables, logs and figures, and what they say together. */
@NullMarked
@SuppressWarnings("module") // those that it exports to are built later
module dev.leakline.texts {
    requires com.carrotsearch.hppc;
    requires dev.leakline.base;
    requires tools.jackson.core;
    requires static transitive org.jspecify;

    exports dev.leakline.cases to
            dev.leakline.core;
    exports dev.leakline.conclusion to
            dev.leakline.core;
    exports dev.leakline.oom to
            dev.leakline.core;
    exports dev.leakline.read.clue to
            dev.leakline.core;
    exports dev.leakline.read.figures to
            dev.leakline.core,
            dev.leakline.app;
    exports dev.leakline.read.log to
            dev.leakline.core;
    exports dev.leakline.source.lines to
            dev.leakline.core,
            dev.leakline.app;
}
