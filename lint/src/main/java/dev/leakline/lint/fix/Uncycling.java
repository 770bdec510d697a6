package dev.leakline.lint.fix;

import dev.leakline.lint.flow.FileModel;
import dev.leakline.lint.flow.Nodes;
import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.edit.Edit;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Cuts a reference cycle: by a weak reference for the way back, or by capturing values and not the object. */
public final class Uncycling {
    private Uncycling() {}

    /** x.y = z becomes x.y = weakref.proxy(z), which is used as z is. */
    public static Patch weak(Expr.Name reference, boolean mayBeNone, FileModel file) {
        String name = reference.id();
        String proxy = "weakref.proxy(%s)".formatted(name);
        return withWeakref(
                List.of(Edit.replace(
                        file.source(),
                        reference,
                        mayBeNone ? "%s if %s is not None else None".formatted(proxy, name) : proxy)),
                file);
    }

    private static Patch withWeakref(List<Edit> edits, FileModel file) {
        List<Edit> all = new ArrayList<>(edits);
        Edit.importing(file.source(), "weakref").forEach(all::add);
        return new Patch(all, false);
    }

    /** Makes what is kept on an object no longer hold the object: lambdas get values as defaults, methods are called through a weak reference. */
    public static Patch captured(Expr stored, String self, FileModel file) {
        if (stored instanceof Expr.Lambda lambda) {
            List<Edit> edits = boundValues(lambda, self, file);
            return edits.isEmpty() ? Patch.NONE : new Patch(edits, false);
        }
        List<Edit> edits = new ArrayList<>();
        for (Expr each : stored instanceof Expr.Attribute ? List.of(stored) : Nodes.elements(stored)) {
            if (each instanceof Expr.Attribute method) {
                edits.add(Edit.replace(
                        file.source(),
                        method,
                        "lambda *args, _self=weakref.ref(%s): _self().%s(*args)".formatted(self, method.attr())));
            }
        }
        return edits.isEmpty() ? Patch.NONE : withWeakref(edits, file);
    }

    /** lambda x: f(x, self.n) becomes lambda x, n=self.n: f(x, n); only where self is used for nothing but plain attributes. */
    private static List<Edit> boundValues(Expr.Lambda lambda, String self, FileModel file) {
        List<Edit> edits = new ArrayList<>();
        Set<String> names = new LinkedHashSet<>();
        boolean[] plain = {true};
        lambda.body().walk(node -> {
            if (Nodes.isName(node, self)) {
                Node around = file.source().parent(node);
                if (around instanceof Expr.Attribute attribute && !isCalled(attribute, file)) {
                    names.add(attribute.attr());
                    edits.add(Edit.replace(file.source(), attribute, attribute.attr()));
                } else {
                    plain[0] = false;
                }
            }
        });
        if (!plain[0] || names.isEmpty()) {
            return List.of();
        }
        String defaults = String.join(
                ", ", names.stream().map(name -> name + "=" + self + "." + name).toList());
        int keyword = lambda.start() + "lambda".length();
        Node.Arguments given = lambda.args();
        boolean bare = given.posonlyargs().isEmpty()
                && given.args().isEmpty()
                && given.vararg() == null
                && given.kwonlyargs().isEmpty()
                && given.kwarg() == null;
        edits.add(
                bare
                        ? new Edit(file.source(), keyword, keyword, " " + defaults)
                        : new Edit(file.source(), given.end(), given.end(), ", " + defaults));
        return edits;
    }

    private static boolean isCalled(Expr.Attribute attribute, FileModel file) {
        return file.source().parent(attribute) instanceof Expr.Call call && call.func() == attribute;
    }
}
