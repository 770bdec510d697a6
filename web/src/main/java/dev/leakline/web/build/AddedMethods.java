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
            if (!added.isSynthetic() && owner(added).equals(type.getName())) {
                add(type, added, context);
            }
        }
    }

    private static String owner(Method added) {
        Additions.Static of = added.getAnnotation(Additions.Static.class);
        Additions.Replaced replaced = added.getAnnotation(Additions.Replaced.class);
        Class<?> type = of != null ? of.value() : added.getParameterTypes()[0];
        return replaced != null ? replaced.value() : type.getName();
    }

    private static void add(ClassHolder type, Method added, ClassHolderTransformerContext context) {
        int receivers = added.isAnnotationPresent(Additions.Static.class) ? 0 : 1;
        Class<?>[] parameters = added.getParameterTypes();
        ValueType[] signature = new ValueType[parameters.length - receivers + 1];
        for (int i = receivers; i < parameters.length; i++) {
            signature[i - receivers] = ValueType.parse(parameters[i]);
        }
        signature[signature.length - 1] = ValueType.parse(added.getReturnType());
        MethodHolder method = new MethodHolder(new MethodDescriptor(added.getName(), signature));
        MethodHolder present = type.getMethod(method.getDescriptor());
        if ((present != null) != added.isAnnotationPresent(Additions.Replaced.class)) {
            throw new IllegalStateException(type.getName() + "." + method.getDescriptor() + " is here or gone by now");
        }
        if (present != null) {
            type.removeMethod(present);
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
