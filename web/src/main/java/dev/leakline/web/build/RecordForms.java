package dev.leakline.web.build;

import dev.leakline.web.RecordForm;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.teavm.model.AccessLevel;
import org.teavm.model.ClassHolder;
import org.teavm.model.ClassHolderTransformer;
import org.teavm.model.ClassHolderTransformerContext;
import org.teavm.model.MethodDescriptor;
import org.teavm.model.MethodHolder;
import org.teavm.model.ValueType;
import org.teavm.model.emit.ProgramEmitter;
import org.teavm.model.emit.ValueEmitter;

/** Makes the records of results {@link RecordForm}s, by what reflection says of them here. */
public final class RecordForms implements ClassHolderTransformer {
    private static final String RESULTS = "dev.leakline.result.";

    @Override
    public void transformClass(ClassHolder type, ClassHolderTransformerContext context) {
        if (!type.getName().startsWith(RESULTS) || !Record.class.getName().equals(type.getParent())) {
            return;
        }
        RecordComponent[] components = components(type.getName());
        type.getInterfaces().add(RecordForm.class.getName());
        ProgramEmitter names = method(type, context, "recordComponents", ValueType.parse(String.class));
        names.constant(Arrays.stream(components).map(RecordForms::named).collect(Collectors.joining(" ")))
                .returnValue();
        ValueType objects = ValueType.parse(Object[].class);
        ProgramEmitter values = method(type, context, "recordValues", objects);
        ValueEmitter all = values.constructArray(Object.class, components.length);
        ProgramEmitter made = method(type, context, "recordOf", objects, ValueType.parse(Object.class));
        ValueEmitter given = made.var(1, objects);
        ValueEmitter[] arguments = new ValueEmitter[components.length];
        for (int i = 0; i < components.length; i++) {
            Class<?> of = components[i].getType();
            ValueEmitter value = values.var(0, ValueType.object(type.getName()))
                    .getField(components[i].getName(), ValueType.parse(of));
            ValueEmitter other = given.getElement(i);
            if (of.isPrimitive()) {
                Class<?> boxed = MethodType.methodType(of).wrap().returnType();
                value = values.invoke(boxed, "valueOf", boxed, value);
                arguments[i] = other.cast(boxed).invokeVirtual(of.getName() + "Value", of);
            } else {
                arguments[i] = other.cast(ValueType.parse(of));
            }
            all.setElement(i, value);
        }
        all.returnValue();
        made.construct(type.getName(), arguments).returnValue();
    }

    private static RecordComponent[] components(String name) {
        try {
            return Class.forName(name, false, RecordForms.class.getClassLoader())
                    .getRecordComponents();
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String named(RecordComponent component) {
        Class<?> type = component.getType();
        String what =
                List.class.isAssignableFrom(type) ? "list" : type.isEnum() || type == String.class ? "text" : "object";
        boolean isNullable = component.getAnnotatedType().isAnnotationPresent(Nullable.class);
        return (isNullable ? "?" : "") + component.getName() + ":" + what;
    }

    private static ProgramEmitter method(
            ClassHolder type, ClassHolderTransformerContext context, String name, ValueType... signature) {
        MethodHolder method = new MethodHolder(new MethodDescriptor(name, signature));
        method.setLevel(AccessLevel.PUBLIC);
        type.addMethod(method);
        return ProgramEmitter.create(method, context.getHierarchy());
    }
}
