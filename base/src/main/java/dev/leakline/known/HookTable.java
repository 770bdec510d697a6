package dev.leakline.known;

/** The attributes in which PyTorch's modules, tensors and optimizers keep their hooks, such as {@code _forward_hooks}. */
public final class HookTable {
    private static final String ENDING = "_hooks";
    private static final String BACKWARD = "_backward_hooks";

    private HookTable() {}

    /** Returns whether a reference is to such a table. */
    public static boolean is(String reference) {
        return reference.endsWith(ENDING);
    }

    /** The method that registers a hook in a table, by the reference to it: those of backward passes have names of their own. */
    public static String registration(String reference, boolean isOfTensor) {
        String table = reference.substring(reference.lastIndexOf('.') + 1);
        if (table.equals(BACKWARD)) {
            return isOfTensor ? "register_hook" : "register_full_backward_hook";
        }
        return "register" + table.substring(0, table.length() - 1);
    }
}
