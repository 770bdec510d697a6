package dev.leakline.lint.flow;

import dev.leakline.lint.flow.Value.Device;
import dev.leakline.lint.flow.Value.Kind;
import dev.leakline.lint.names.CodeNames;
import dev.leakline.python.flow.Certainty;
import dev.leakline.python.flow.NameSets;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Results of the functions and methods of PyTorch and its surroundings. */
final class Torch {
    private static final Pattern MODE_AROUND = Pattern.compile("[\\s()]|mode=");
    private final Expressions expressions;

    Torch(Expressions expressions) {
        this.expressions = expressions;
    }

    /** Grad mode after a call of this name, or null. */
    static @Nullable Certainty gradMode(String name, String arguments) {
        boolean isSet = NameSets.has("SET_GRAD_MODES", name);
        if (!isSet && !NameSets.has("GRADLESS_MODES", name)) {
            return NameSets.has("GRAD_MODES", name) ? Certainty.SURE : null;
        }
        return switch (MODE_AROUND.matcher(arguments).replaceAll("")) {
            case "" -> isSet ? Certainty.UNKNOWN : Certainty.NO;
            case "False" -> isSet ? Certainty.NO : Certainty.SURE;
            case "True" -> isSet ? Certainty.SURE : Certainty.NO;
            default -> Certainty.UNKNOWN;
        };
    }

    static Value attribute(Value tensor, String name) {
        Value plain = tensor.withItems(List.of()).readFrom(null);
        return switch (name) {
            case "data" -> plain.detached();
            case "grad" ->
                plain.detached()
                        .withKinds(Kind.TENSOR)
                        .on(tensor.device() == Device.UNKNOWN ? Device.LIKELY_GPU : tensor.device());
            case "shape", "ndim", "requires_grad", "is_cuda", "is_leaf", "names", "itemsize", "nbytes" ->
                Value.NUMBER.from(tensor.sources());
            case "dtype", "layout", "grad_fn", "device_mesh", "placements" -> Value.OTHER;
            case "device" ->
                Value.of(Kind.DEVICE).on(tensor.device() == Device.UNKNOWN ? Device.LIKELY_GPU : tensor.device());
            case "indices" -> plain.detached();
            default ->
                name.startsWith("_") || NameSets.has("NUMBER_METHODS", name)
                        ? Value.NUMBER.from(tensor.sources())
                        : plain.asScalar(name.equals("loss"));
        };
    }

    /** The result of a method of a tensor. */
    Value method(Value tensor, String name, Arguments arguments, Scope frame) {
        Value all = arguments
                .combined(expressions, tensor.withItems(List.of()).readFrom(null))
                .withKinds(Kind.TENSOR);
        if (NameSets.has("NUMBER_METHODS", name)) {
            return Value.NUMBER.from(tensor.sources());
        }
        if (NameSets.has("GRAPHLESS", name)) {
            return all.detached().asScalar(false);
        }
        if (name.equals("detach") || name.equals("detach_")) {
            return all.detached().asScalar(tensor.scalar());
        }
        if (name.equals("cpu")) {
            return all.on(Device.CPU);
        }
        if (name.equals("cuda")) {
            return all.on(Device.GPU);
        }
        if (name.equals("to")) {
            Value where = arguments.named("device", 0);
            boolean moved = where.may(Kind.TEXT | Kind.DEVICE | Kind.OTHER | Kind.NUMBER);
            return moved
                    ? all.withGrad(tensor.grad())
                            .withGraph(tensor.graph())
                            .on(deviceOf(where))
                            .asScalar(tensor.scalar())
                    : all.on(tensor.device()).asScalar(tensor.scalar());
        }
        if (name.startsWith("register_")) {
            return Value.OTHER;
        }
        if (name.equals("requires_grad_")) {
            return all.withGrad(Certainty.LIKELY);
        }
        if (NameSets.has("WITH_INDEXES", name) && !arguments.all().isEmpty()) {
            Value indexes = all.detached().asScalar(false);
            return all.asScalar(false).withItems(List.of(all.asScalar(false), indexes));
        }
        Value made = frame.grad == Certainty.NO ? all.detached() : all;
        boolean scalar = (NameSets.has("REDUCING", name) && arguments.all().isEmpty())
                || (tensor.scalar()
                        && !name.startsWith("expand")
                        && !name.equals("repeat")
                        && !name.equals("new_full"));
        return made.asScalar(scalar);
    }

    Device deviceOf(Value where) {
        if (where.kinds() == 0) {
            return Device.UNKNOWN;
        }
        if (where.may(Kind.NUMBER) && !where.may(Kind.TEXT | Kind.DEVICE)) {
            return Device.GPU;
        }
        return where.device() == Device.UNKNOWN ? Device.LIKELY_GPU : where.device();
    }

    /** The result of a function of torch or of a library around it; null if the name says nothing. */
    @Nullable
    Value function(String name, Arguments arguments, Scope frame) {
        String last = name.substring(name.lastIndexOf('.') + 1);
        if (name.startsWith("torch.nn.functional.")
                || name.startsWith("torch.special.")
                || name.startsWith("torch.linalg.")
                || name.startsWith("torch.fft.")) {
            return operation(last, arguments, frame)
                    .asScalar(CodeNames.isLoss(last) && !arguments.names().containsKey("reduction"));
        }
        if (name.startsWith("torch.nn.init.") || name.startsWith("torch.nn.utils.")) {
            return last.startsWith("parametrize") || last.endsWith("_norm") ? arguments.place(0) : Value.OTHER;
        }
        if (name.equals("torch.nn.Parameter") || name.equals("torch.nn.parameter.Parameter")) {
            return Value.of(Kind.PARAMETER | Kind.TENSOR).on(Device.LIKELY_GPU);
        }
        if (name.startsWith("torch.nn.") && isType(last)) {
            return Value.of(CodeNames.isPlainModule(last) ? Kind.MODULE | Kind.PLAIN_MODULE : Kind.MODULE);
        }
        if (name.startsWith("torch.optim.") && isType(last)) {
            return Value.of(name.contains("lr_scheduler") ? Kind.OTHER : Kind.OPTIMIZER);
        }
        if (name.startsWith("torch.distributions.")) {
            return arguments.combined(expressions, Value.of(Kind.OTHER | (isType(last) ? Kind.DISTRIBUTION : 0)));
        }
        if (name.startsWith("torchmetrics.") && isType(last)) {
            return Value.of(Kind.METRIC);
        }
        if (name.startsWith("torchvision.models.")
                || name.equals("timm.create_model")
                || (name.startsWith("torch.hub.load") && !last.contains("state"))) {
            return Value.of(Kind.MODULE);
        }
        if (name.startsWith("transformers.") && (last.equals("from_pretrained") || last.equals("from_config"))) {
            return name.matches(".*(Model|For[A-Z]).*") ? Value.of(Kind.MODULE) : Value.OTHER;
        }
        if (NameSets.has("GIVEN_BACK", name)) {
            return arguments.place(0).readFrom(null);
        }
        if (NameSets.has("TENSOR_QUESTIONS", name)) {
            return Value.NUMBER;
        }
        if (NameSets.has("LOOKS_AT_TENSORS", name)) {
            List<Value> places = arguments.places();
            List<Value> told = places.subList(Math.min(1, places.size()), places.size());
            return method(
                    arguments.combined(expressions, Value.of(Kind.TENSOR)),
                    last,
                    new Arguments(List.of(), told, arguments.names(), List.of()),
                    frame);
        }
        return switch (name) {
            case "torch.device" ->
                Value.of(Kind.DEVICE)
                        .on(arguments.place(0).kinds() == 0 ? Device.UNKNOWN : deviceOf(arguments.place(0)));
            case "torch.load" ->
                Value.of(Kind.STATE | Kind.OTHER)
                        .on(
                                arguments.named("map_location", 1).kinds() == 0
                                        ? Device.LIKELY_GPU
                                        : deviceOf(arguments.named("map_location", 1)));
            case "torch.jit.load", "torch.jit.script", "torch.jit.trace" -> Value.of(Kind.MODULE);
            case "torch.utils.data.DataLoader", "torch_geometric.loader.DataLoader" -> Value.of(Kind.LOADER);
            case "torch.amp.GradScaler", "torch.cuda.amp.GradScaler", "torch.cuda.Event", "torch.cuda.Stream" ->
                Value.OTHER;
            case "weakref.ref", "weakref.proxy", "weakref.WeakMethod" -> Value.WEAK;
            default -> name.startsWith("torch.") ? plain(name, last, arguments, frame) : null;
        };
    }

    private @Nullable Value plain(String name, String last, Arguments arguments, Scope frame) {
        boolean direct = name.indexOf('.', "torch.".length()) < 0;
        if ((direct && NameSets.has("CREATING", last)) || (name.startsWith("torch.cuda.") && last.endsWith("Tensor"))) {
            Value where = arguments.names().getOrDefault("device", Value.NOTHING);
            boolean tensor = last.equals("as_tensor") && arguments.place(0).may(Kind.TENSOR);
            Device device = name.startsWith("torch.cuda.")
                    ? Device.GPU
                    : where.kinds() != 0
                            ? deviceOf(where)
                            : tensor ? arguments.place(0).device() : Device.CPU;
            Value made = Value.tensor(device).from(arguments.sources());
            Value wants = arguments.names().get("requires_grad");
            made = wants != null && frame.grad != Certainty.NO ? made.withGrad(Certainty.UNKNOWN) : made;
            return frame.loop == null ? made : made.from(Set.of(frame.loop));
        }
        if (direct && NameSets.has("LIKE", last)) {
            Value made = Value.tensor(arguments.place(0).device()).from(arguments.sources());
            return frame.loop == null ? made : made.from(Set.of(frame.loop));
        }
        if (!direct || CodeNames.isNoTensor(last)) {
            return null;
        }
        Value made = operation(last, arguments, frame);
        if (NameSets.has("GRAPHLESS", last)
                || (last.equals("where") && arguments.places().size() == 1)) {
            return made.detached();
        }
        return made.asScalar(NameSets.has("REDUCING", last) && arguments.all().size() == 1);
    }

    /** The result of a loss or an activation. */
    Value plainModule(String callee, Arguments arguments, Scope frame) {
        return operation(callee, arguments, frame).asScalar(CodeNames.isLoss(callee) || callee.contains("crit"));
    }

    private static boolean isType(String name) {
        return !name.isEmpty() && Character.isUpperCase(name.charAt(0));
    }

    private Value operation(String name, Arguments arguments, Scope frame) {
        Value value = arguments
                .combined(expressions, Value.of(Kind.TENSOR))
                .withKinds(Kind.TENSOR)
                .asScalar(false);
        return frame.grad == Certainty.NO || NameSets.has("GRAPHLESS", name) ? value.detached() : value;
    }
}
