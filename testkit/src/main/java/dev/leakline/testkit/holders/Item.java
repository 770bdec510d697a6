package dev.leakline.testkit.holders;

/** An object of a dump that is being described; references are added by calls that answer the object itself. */
public final class Item {
    private static final int ATTRIBUTE = 1;
    private static final int TEXT_KEY = 2;
    private static final int OTHER_KEY = 3;
    private static final int INDEX = 4;
    private static final int LOCAL = 5;
    private static final int CLOSURE = 6;
    private static final int AUTOGRAD = 8;
    private static final int INTERNAL = 9;
    private static final int HAS_GRAPH = 8;

    final int kind;
    final String type;
    final HolderDumpBuilder dump;
    String text = "";
    int length = -1;
    int flags;
    int surplus;
    boolean isCounted = true;

    Item(HolderDumpBuilder dump, int kind, String type) {
        this.dump = dump;
        this.kind = kind;
        this.type = type;
    }

    /** Says what people read of it. */
    public Item text(String shown) {
        this.text = shown;
        return this;
    }

    /** Says how many items it has. */
    public Item length(int items) {
        this.length = items;
        return this;
    }

    /** Adds flags as the dump has them. */
    public Item flags(int more) {
        this.flags |= more;
        return this;
    }

    /** Says that Python counts more references to it than the dump shows. */
    public Item surplus(int references) {
        this.surplus = references;
        return this;
    }

    /** Says that nobody counted the references to it. */
    public Item uncounted() {
        this.isCounted = false;
        return this;
    }

    /** Says that a tensor was computed: it has a {@code grad_fn}. */
    public Item computedBy(Item node) {
        return flags(HAS_GRAPH).autograd("grad_fn", node);
    }

    /** Has an attribute. */
    public Item attribute(String name, Item target) {
        return refer(name, ATTRIBUTE, target);
    }

    /** Has an entry under a text, as a module has globals. */
    public Item key(String name, Item target) {
        return refer(name, TEXT_KEY, target);
    }

    /** Has an entry under something that is no text. */
    public Item otherKey(String name, Item target) {
        return refer(name, OTHER_KEY, target);
    }

    /** Has an item. */
    public Item item(int index, Item target) {
        return refer(String.valueOf(index), INDEX, target);
    }

    /** Has all of these items, from the first on. */
    public Item items(Item... targets) {
        for (int index = 0; index < targets.length; index++) {
            item(index, targets[index]);
        }
        return length(targets.length);
    }

    /** Has a local variable. */
    public Item local(String name, Item target) {
        return refer(name, LOCAL, target);
    }

    /** Closes over a variable. */
    public Item closure(String name, Item target) {
        return refer(name, CLOSURE, target);
    }

    /** Refers within PyTorch's autograd. */
    public Item autograd(String name, Item target) {
        return refer(name, AUTOGRAD, target);
    }

    /** Refers by glue, such as a {@code __dict__}. */
    public Item internal(String name, Item target) {
        return refer(name, INTERNAL, target);
    }

    /** Refers in a way that the dump gives by its number. */
    public Item refer(String name, int labelKind, Item target) {
        dump.edge(this, target, name, labelKind);
        return this;
    }
}
