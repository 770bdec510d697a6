package dev.leakline.lint.flow;

import dev.leakline.lint.flow.Value.Certainty;
import dev.leakline.lint.flow.Value.Device;
import dev.leakline.lint.flow.Value.Kind;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What the functions and methods of PyTorch and its surroundings give back. */
final class Torch {
    private static final Set<String> NUMBERS = Set.of(
            "item",
            "tolist",
            "numpy",
            "size",
            "dim",
            "numel",
            "stride",
            "storage_offset",
            "is_contiguous",
            "data_ptr",
            "element_size",
            "ndimension",
            "is_floating_point",
            "__len__",
            "__float__",
            "__int__",
            "any_item");
    /** Their results are indexes or booleans, which have no graph. */
    private static final Set<String> WITHOUT_GRAPH = Set.of(
            "argmax",
            "argmin",
            "argsort",
            "eq",
            "ne",
            "lt",
            "le",
            "gt",
            "ge",
            "isnan",
            "isinf",
            "isfinite",
            "nonzero",
            "long",
            "int",
            "bool",
            "byte",
            "short",
            "bincount",
            "histc",
            "multinomial",
            "any",
            "all",
            "allclose",
            "equal",
            "sign",
            "logical_and",
            "logical_or",
            "logical_not",
            "isin",
            "unique",
            "bernoulli",
            "count_nonzero",
            "new_zeros",
            "new_ones",
            "new_empty",
            "new_full",
            "new_tensor");

    private static final Set<String> WITH_INDEXES =
            Set.of("max", "min", "topk", "sort", "median", "mode", "kthvalue", "cummax", "cummin");
    private static final Set<String> REDUCING = Set.of(
            "mean",
            "sum",
            "max",
            "min",
            "norm",
            "std",
            "var",
            "prod",
            "amax",
            "amin",
            "median",
            "logsumexp",
            "dot",
            "trace");
    private static final Set<String> CREATING = Set.of(
            "zeros",
            "ones",
            "randn",
            "rand",
            "empty",
            "full",
            "arange",
            "linspace",
            "eye",
            "tensor",
            "randint",
            "as_tensor",
            "from_numpy",
            "randperm",
            "normal",
            "logspace",
            "hann_window",
            "hamming_window",
            "scalar_tensor",
            "asarray",
            "range",
            "frombuffer",
            "complex",
            "sparse_coo_tensor",
            "FloatTensor",
            "LongTensor",
            "Tensor",
            "IntTensor",
            "BoolTensor");
    private static final Set<String> LIKE =
            Set.of("zeros_like", "ones_like", "randn_like", "rand_like", "empty_like", "full_like", "randint_like");
    private static final Set<String> CONCATENATING = Set.of(
            "torch.cat",
            "torch.concat",
            "torch.concatenate",
            "torch.stack",
            "torch.hstack",
            "torch.vstack",
            "torch.dstack",
            "torch.column_stack",
            "torch.row_stack");
    private static final Pattern LOSS =
            Pattern.compile("loss|cross_entropy|kl_div|nll|mse|triplet|huber", Pattern.CASE_INSENSITIVE);
    private static final Pattern PLAIN = Pattern.compile(
            "Loss$|^(Log)?(Soft(max|min|plus|sign)|Sigmoid)|^(ReLU|GELU|SiLU|ELU|Tanh|Identity|Flatten|Unflatten|Dropout|Upsample|CosineSimilarity|PairwiseDistance)|Pool\\dd$|Pad\\dd$|Shuffle$");
    private static final Pattern CAPITAL = Pattern.compile("^[A-Z]");

    private final Expressions expressions;

    Torch(Expressions expressions) {
        this.expressions = expressions;
    }

    /** Grad mode after a call of this name, or null. */
    static @Nullable Certainty gradMode(String name, String arguments) {
        return switch (name) {
            case "torch.no_grad",
                    "torch.inference_mode",
                    "torch.autograd.no_grad",
                    "torch.autograd.grad_mode.no_grad",
                    "torch.autograd.inference_mode",
                    "torch.autograd.grad_mode.inference_mode" ->
                arguments.contains("False")
                        ? Certainty.SURE
                        : arguments.matches("\\(\\s*(mode=)?(True)?\\s*\\)|") ? Certainty.NO : Certainty.UNKNOWN;
            case "torch.enable_grad", "torch.autograd.enable_grad", "torch.autograd.grad_mode.enable_grad" ->
                Certainty.SURE;
            case "torch.set_grad_enabled",
                    "torch.autograd.set_grad_enabled",
                    "torch.autograd.grad_mode.set_grad_enabled" ->
                arguments.matches("\\(\\s*(mode=)?False\\s*\\)")
                        ? Certainty.NO
                        : arguments.matches("\\(\\s*(mode=)?True\\s*\\)") ? Certainty.SURE : Certainty.UNKNOWN;
            default -> null;
        };
    }

    static boolean isConcatenation(String name) {
        return CONCATENATING.contains(name);
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
            case "dtype", "layout", "grad_fn" -> Value.OTHER;
            case "device" ->
                Value.of(Kind.DEVICE).on(tensor.device() == Device.UNKNOWN ? Device.LIKELY_GPU : tensor.device());
            case "indices" -> plain.detached();
            default -> plain.asScalar(name.equals("loss"));
        };
    }

    /** What a method of a tensor gives back. */
    Value method(Value tensor, String name, Arguments arguments, Scope frame) {
        Value all = arguments
                .combined(expressions, tensor.withItems(List.of()).readFrom(null))
                .withKinds(Kind.TENSOR);
        if (NUMBERS.contains(name)) {
            return Value.NUMBER.from(tensor.sources());
        }
        if (WITHOUT_GRAPH.contains(name)) {
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
        if (WITH_INDEXES.contains(name) && !arguments.all().isEmpty()) {
            Value indexes = all.detached().asScalar(false);
            return all.asScalar(false).withItems(List.of(all.asScalar(false), indexes));
        }
        Value made = frame.grad == Certainty.NO ? all.detached() : all;
        boolean scalar = (REDUCING.contains(name) && arguments.all().isEmpty())
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

    /** What a function of torch or of a library around it gives back, or null if the name says nothing. */
    @Nullable
    Value function(String name, Arguments arguments, Scope frame) {
        String last = name.substring(name.lastIndexOf('.') + 1);
        Certainty mode = gradMode(name, "");
        if (mode != null) {
            return Value.of(Kind.GRAD_MODE).withGrad(mode);
        }
        if (name.startsWith("torch.nn.functional.")
                || name.startsWith("torch.special.")
                || name.startsWith("torch.linalg.")
                || name.startsWith("torch.fft.")) {
            return operation(last, arguments, frame)
                    .asScalar(LOSS.matcher(last).find() && !arguments.names().containsKey("reduction"));
        }
        if (name.startsWith("torch.nn.init.") || name.startsWith("torch.nn.utils.")) {
            return last.startsWith("parametrize") || last.endsWith("_norm") ? arguments.place(0) : Value.OTHER;
        }
        if (name.equals("torch.nn.Parameter") || name.equals("torch.nn.parameter.Parameter")) {
            return Value.of(Kind.PARAMETER | Kind.TENSOR).on(Device.LIKELY_GPU);
        }
        if (name.startsWith("torch.nn.") && CAPITAL.matcher(last).find()) {
            return Value.of(PLAIN.matcher(last).find() ? Kind.MODULE | Kind.PLAIN_MODULE : Kind.MODULE);
        }
        if (name.startsWith("torch.optim.") && CAPITAL.matcher(last).find()) {
            return Value.of(name.contains("lr_scheduler") ? Kind.OTHER : Kind.OPTIMIZER);
        }
        if (name.startsWith("torch.distributions.")) {
            return arguments.combined(expressions, Value.OTHER);
        }
        if (name.startsWith("torchmetrics.") && CAPITAL.matcher(last).find()) {
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
            case "torch.compile",
                    "copy.deepcopy",
                    "copy.copy",
                    "torch.autograd.Variable",
                    "torch.nn.DataParallel",
                    "itertools.cycle",
                    "itertools.islice",
                    "itertools.chain",
                    "tqdm.tqdm",
                    "tqdm.auto.tqdm",
                    "tqdm" -> arguments.place(0).readFrom(null);
            case "torch.utils.data.DataLoader", "torch_geometric.loader.DataLoader" -> Value.of(Kind.LOADER);
            case "torch.amp.GradScaler", "torch.cuda.amp.GradScaler", "torch.cuda.FlowEvent", "torch.cuda.Stream" ->
                Value.OTHER;
            case "torch.is_tensor", "torch.numel", "torch.is_grad_enabled", "torch.manual_seed", "torch.save" ->
                Value.NUMBER;
            case "weakref.ref", "weakref.proxy", "weakref.WeakMethod" -> Value.WEAK;
            case "torch.argmax",
                    "torch.isnan",
                    "torch.isinf",
                    "torch.isfinite",
                    "torch.eq",
                    "torch.topk",
                    "torch.max",
                    "torch.min",
                    "torch.sort",
                    "torch.argsort" ->
                method(
                        arguments.combined(expressions, Value.of(Kind.TENSOR)),
                        last,
                        new Arguments(
                                List.of(),
                                arguments
                                        .places()
                                        .subList(
                                                Math.min(1, arguments.places().size()),
                                                arguments.places().size()),
                                arguments.names(),
                                List.of()),
                        frame);
            default -> name.startsWith("torch.") ? plain(name, last, arguments, frame) : null;
        };
    }

    private @Nullable Value plain(String name, String last, Arguments arguments, Scope frame) {
        boolean direct = name.indexOf('.', "torch.".length()) < 0;
        if ((direct && CREATING.contains(last)) || (name.startsWith("torch.cuda.") && last.endsWith("Tensor"))) {
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
        if (direct && LIKE.contains(last)) {
            Value made = Value.tensor(arguments.place(0).device()).from(arguments.sources());
            return frame.loop == null ? made : made.from(Set.of(frame.loop));
        }
        if (!direct
                || last.startsWith("set_")
                || last.startsWith("get_")
                || last.startsWith("is_")
                || last.startsWith("use_")) {
            return null;
        }
        Value made = operation(last, arguments, frame);
        if (WITHOUT_GRAPH.contains(last)
                || (last.equals("where") && arguments.places().size() == 1)) {
            return made.detached();
        }
        return made.asScalar(REDUCING.contains(last) && arguments.all().size() == 1);
    }

    /** What a loss or an activation makes of its input. */
    Value plainModule(String callee, Arguments arguments, Scope frame) {
        return operation(callee, arguments, frame).asScalar(LOSS.matcher(callee).find() || callee.contains("crit"));
    }

    private Value operation(String name, Arguments arguments, Scope frame) {
        Value value = arguments
                .combined(expressions, Value.of(Kind.TENSOR))
                .withKinds(Kind.TENSOR)
                .asScalar(false);
        return frame.grad == Certainty.NO || WITHOUT_GRAPH.contains(name) ? value.detached() : value;
    }
}
