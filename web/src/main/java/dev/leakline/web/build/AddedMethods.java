package dev.leakline.web.build;

import dev.leakline.web.Additions;
import java.lang.reflect.Method;
import java.util.Arrays;
import org.teavm.model.AccessLevel;
import org.teavm.model.ClassHolder;
import org.teavm.model.ClassHolderTransformer;
import org.teavm.model.ClassHolderTransformerContext;
import org.teavm.model.ElementModifier;
import org.teavm.model.MethodDescriptor;
import org.teavm.model.MethodHolder;
import org.teavm.model.ValueType;
import org.teavm.model.emit.ProgramEmitter;
import org.teavm.model.emit.ValueEmitter;

/** Gives classes of TeaVM's library the methods in {@link Additions}: each calls the method there. */
public final class AddedMethods implements ClassHolderTransformer {
    @Override
    public void transformClass(ClassHolder type, ClassHolderTransformerContext context) {
        for (Method added : Additions.class.getDeclaredMethods()) {
            Additions.Static of = added.getAnnotation(Additions.Static.class);
            if (of != null && of.value().getName().equals(type.getName())) {
                add(type, added, 0, context);
            } else if (of == null
                    && !added.isSynthetic()
                    && added.getParameterTypes()[0].getName().equals(type.getName())) {
                add(type, added, 1, context);
            }
        }
    }

    /** Adds a method whose first parameter is the object itself where {@code receivers} is 1. */
    private static void add(ClassHolder type, Method added, int receivers, ClassHolderTransformerContext context) {
        Class<?>[] parameters = added.getParameterTypes();
        ValueType[] signature = new ValueType[parameters.length - receivers + 1];
        for (int i = receivers; i < parameters.length; i++) {
            signature[i - receivers] = ValueType.parse(parameters[i]);
        }
        signature[signature.length - 1] = ValueType.parse(added.getReturnType());
        MethodHolder method = new MethodHolder(new MethodDescriptor(added.getName(), signature));
        if (type.getMethod(method.getDescriptor()) != null) {
            throw new IllegalStateException(type.getName() + " has " + method.getDescriptor() + " by now");
        }
        method.setLevel(AccessLevel.PUBLIC);
        if (receivers == 0) {
            method.getModifiers().add(ElementModifier.STATIC);
        }
        type.addMethod(method);
        ProgramEmitter code = ProgramEmitter.create(method, context.getHierarchy());
        ValueEmitter[] values = new ValueEmitter[parameters.length];
        Arrays.setAll(values, i -> code.var(i + 1 - receivers, ValueType.parse(parameters[i])));
        if (added.getReturnType() == void.class) {
            code.invoke(Additions.class, added.getName(), values);
            code.exit();
        } else {
            code.invoke(Additions.class, added.getName(), added.getReturnType(), values)
                    .returnValue();
        }
    }
}
