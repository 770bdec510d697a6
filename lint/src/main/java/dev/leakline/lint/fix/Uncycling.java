package dev.leakline.lint.fix;

import dev.leakline.lint.fix.Patch.Edit;
import dev.leakline.lint.flow.FileModel;
import dev.leakline.lint.python.Syntax;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Cuts a reference cycle: by a weak reference for the way back, or by capturing values and not the object. */
public final class Uncycling {
    private Uncycling() {}

    /** x.y = z becomes x.y = weakref.proxy(z), which is used as z is. */
    public static Patch weak(Syntax reference, boolean mayBeNone, FileModel file) {
        String name = reference.text();
        String proxy = "weakref.proxy(%s)".formatted(name);
        Edit edit = Rewriting.replace(
                reference, mayBeNone ? "%s if %s is not None else None".formatted(proxy, name) : proxy);
        return new Patch(Rewriting.all(List.of(edit), Rewriting.importing(file, "weakref")), false);
    }

    /** Makes what is kept on an object no longer hold the object: lambdas get values as defaults, methods are called through a weak reference. */
    public static Patch captured(Syntax stored, String self, FileModel file) {
        List<Edit> edits = new ArrayList<>();
        if (stored.is("lambda")) {
            bindValues(stored, self, edits);
            return edits.isEmpty() ? Patch.NONE : new Patch(edits, false);
        }
        List<Syntax> methods = new ArrayList<>();
        if (stored.is("attribute")) {
            methods.add(stored);
        } else if (stored.is("list") || stored.is("tuple")) {
            stored.children().stream().filter(child -> child.is("attribute")).forEach(methods::add);
        }
        for (Syntax method : methods) {
            edits.add(Rewriting.replace(
                    method,
                    "lambda *args, _self=weakref.ref(%s): _self().%s(*args)"
                            .formatted(self, method.text("attribute"))));
        }
        return edits.isEmpty()
                ? Patch.NONE
                : new Patch(Rewriting.all(edits, Rewriting.importing(file, "weakref")), false);
    }

    /** lambda x: f(x, self.n) becomes lambda x, n=self.n: f(x, n); only where self is used for nothing but plain attributes. */
    private static void bindValues(Syntax lambda, String self, List<Edit> edits) {
        Syntax body = lambda.child("body");
        if (body == null) {
            return;
        }
        Set<String> names = new LinkedHashSet<>();
        boolean[] plain = {true};
        body.walk(node -> {
            if (node.is("identifier") && node.text().equals(self)) {
                Syntax attribute = node.parent();
                boolean value = attribute != null
                        && attribute.is("attribute")
                        && !(attribute.parent() != null
                                && attribute.parent().is("call")
                                && attribute.parent().child("function") == attribute);
                plain[0] &= value;
                if (value && attribute != null) {
                    names.add(attribute.text("attribute"));
                    edits.add(Rewriting.replace(attribute, attribute.text("attribute")));
                }
            }
        });
        if (!plain[0] || names.isEmpty()) {
            edits.clear();
            return;
        }
        String defaults = String.join(
                ", ", names.stream().map(name -> name + "=" + self + "." + name).toList());
        Syntax parameters = lambda.child("parameters");
        edits.add(
                parameters == null
                        ? new Edit(
                                lambda.start() + "lambda".length(), lambda.start() + "lambda".length(), " " + defaults)
                        : new Edit(parameters.end(), parameters.end(), ", " + defaults));
    }
}
