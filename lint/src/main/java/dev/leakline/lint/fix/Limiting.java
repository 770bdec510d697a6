package dev.leakline.lint.fix;

import dev.leakline.lint.fix.Patch.Edit;
import dev.leakline.lint.flow.ClassModel;
import dev.leakline.lint.flow.Flow;
import dev.leakline.lint.flow.FlowEvent;
import dev.leakline.lint.flow.FlowEvent.Way;
import dev.leakline.lint.flow.LoopModel;
import dev.leakline.lint.flow.Slot;
import dev.leakline.lint.flow.Value;
import dev.leakline.lint.python.Syntax;
import java.util.List;

/** Keeps a container from growing: by the reset that its class has, by an eviction, or by moving what it keeps to the CPU. */
public final class Limiting {
    /** Of a cache: as many as functools.lru_cache keeps. */
    private static final int ENTRIES = 128;

    private static final int COLUMNS = 1024;

    private Limiting() {}

    public static Patch of(FlowEvent.Store store, Flow flow) {
        Patch reset = reset(store, flow);
        if (!reset.isEmpty()) {
            return reset;
        }
        if (store.way() == Way.CONCATENATE) {
            Syntax call = store.stored().is("conditional_expression")
                    ? store.stored().children().stream()
                            .filter(c -> c.is("call"))
                            .findFirst()
                            .orElse(store.stored())
                    : store.stored();
            return new Patch(Rewriting.append(call, "[..., -" + COLUMNS + ":].clone()"), false);
        }
        boolean cache = store.way() == Way.PUT && isReadBack(store);
        if (cache && isList(store)) {
            return Patch.NONE;
        }
        if (cache
                && store.node().child("left") instanceof Syntax left
                && left.child("value") instanceof Syntax object) {
            String unit = store.node().source().indentation(store.node().line()).contains("\t") ? "\t" : "    ";
            String indentation = store.node().source().indentation(store.node().line());
            Edit edit = Rewriting.lineAfter(
                    store.node(),
                    "while len(%s) > %s:%s%s%s.pop(next(iter(%s)))"
                            .formatted(
                                    object.text(),
                                    limit(store),
                                    store.node().source().lineBreak(),
                                    indentation + unit,
                                    object.text(),
                                    object.text()));
            return Patch.unsafe(edit);
        }
        return new Detaching(flow).ofDevice(store);
    }

    /** The arguments of functools.lru_cache that keep it small. */
    public static String ofCache() {
        return "(maxsize=" + ENTRIES + ")";
    }

    /** Tells whether the places of what is stored are those of a list, which has no oldest key. */
    private static boolean isList(FlowEvent.Store store) {
        Slot slot = store.slot();
        boolean isAssigned = slot != null
                && slot.assigned.keySet().stream()
                        .anyMatch(made -> made.child("right") instanceof Syntax right && isList(right));
        return isAssigned || store.containers().stream().anyMatch(container -> isList(container.site));
    }

    private static boolean isList(Syntax site) {
        boolean isRepeated = site.is("binary_operator") && site.child("left") instanceof Syntax left && isList(left);
        return isRepeated || site.is("list") || site.is("list_comprehension");
    }

    /** A cache gives back what it keeps: the same key is read in the same function. */
    private static boolean isReadBack(FlowEvent.Store store) {
        Syntax left = store.node().child("left");
        if (left == null) {
            return false;
        }
        int[] reads = new int[1];
        String text = left.text();
        store.function()
                .node
                .walk(node -> reads[0] += isRead(node) && node.text().equals(text) ? 1 : 0);
        return reads[0] > 0;
    }

    private static boolean isRead(Syntax node) {
        return node.is("subscript") && node.parent() != null && node.parent().child("left") != node;
    }

    /** The attribute of the object that is meant to say how much is kept, or a number. */
    private static String limit(FlowEvent.Store store) {
        if (store.function().owner instanceof ClassModel owner) {
            for (String name : owner.attributes.keySet()) {
                if (name.matches("_?(limit|capacity|maxsize|max_(size|entries|items|length)|maxlen)")) {
                    return store.function().self() + "." + name;
                }
            }
        }
        return String.valueOf(ENTRIES);
    }

    /** buffer.reset() at the end of the loop around, where buffer is made before it and its class has such a method. */
    private static Patch reset(FlowEvent.Store store, Flow flow) {
        Slot slot = store.slot();
        Syntax callee = store.node().is("call") ? store.node().child("function") : null;
        Syntax attribute = callee == null ? null : callee.child("object");
        Syntax object = attribute == null || !attribute.is("attribute") ? null : attribute.child("object");
        LoopModel loop = store.loop();
        if (slot == null
                || object == null
                || loop == null
                || !(slot.owner instanceof ClassModel model)
                || object.text().equals(store.function().self())) {
            return Patch.NONE;
        }
        Value holder = flow.valueOf(object);
        while (loop.outer != null) {
            loop = loop.outer;
        }
        for (String name : List.of("reset", "clear", "empty", "flush")) {
            boolean simple = model.methods.containsKey(name)
                    && model.methods.get(name).parameters.size() == 1;
            if (simple
                    && holder.target() == model
                    && loop.node.child("body") instanceof Syntax body
                    && !body.children().isEmpty()) {
                return Patch.unsafe(
                        Rewriting.lineBefore(body.children().getFirst(), object.text() + "." + name + "()"));
            }
        }
        return Patch.NONE;
    }
}
