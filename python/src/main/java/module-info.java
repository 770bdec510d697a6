import org.jspecify.annotations.NullMarked;

/** Python source: its syntax, the values of its expressions, what keeps them, and edits that end that. */
@NullMarked
module dev.leakline.python {
    requires static transitive org.jspecify;

    exports dev.leakline.python;
    exports dev.leakline.python.edit;
    exports dev.leakline.python.flow;
    exports dev.leakline.python.keep;
}
