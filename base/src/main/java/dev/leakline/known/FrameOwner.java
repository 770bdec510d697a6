package dev.leakline.known;

import java.util.List;
import java.util.regex.Pattern;

/** The owner of a frame's code, inferred from the name of its file. From the most to the least likely to be responsible. */
public enum FrameOwner {
    /** The user's own code. */
    USER,
    /** A package that the user installed. */
    PACKAGE,
    /** PyTorch, Triton, and what they generate. */
    TORCH,
    /** Python's standard library, our own probe, and what has no file. */
    PYTHON,
    /** C and C++. */
    NATIVE;

    private static final Pattern NATIVE_SOURCE =
            Pattern.compile("\\.(c|cc|cpp|cxx|cu|cuh|h|hpp|hh|inc|S)$", Pattern.CASE_INSENSITIVE);
    private static final Pattern INSTALLED = Pattern.compile("(^|/)(site-packages|dist-packages)/");
    private static final Pattern INSTALLED_TORCH =
            Pattern.compile("(^|/)(site-packages|dist-packages)/(torch|triton|functorch|torchgen)/");
    /** A source checkout of PyTorch, known by the packages it has below {@code torch}. */
    private static final Pattern TORCH_SOURCES = Pattern.compile(
            "/torch/("
                    + "(nn|optim|autograd|cuda|utils|distributed|_dynamo|_inductor|_functorch|fx|jit|profiler|amp|_subclasses"
                    + "|_higher_order_ops|_prims|_refs|_decomp|_library|export|func|backends|multiprocessing)/"
                    + "|(_tensor|functional|_ops|_compile|overrides|serialization|__init__|_jit_internal|storage|random)\\.py$)");
    /** Code that torch.compile and torch.fx write. */
    private static final Pattern GENERATED =
            Pattern.compile("/torchinductor_|/torch_compile_debug/|^<eval_with_key>|(^|/)fx_generated_");

    private static final Pattern STANDARD_LIBRARY = Pattern.compile("(^|/)lib(64)?/python\\d+(\\.\\d+)?t?/"
            + "|(?i)/(python\\d*|anaconda\\d*|miniconda\\d*|miniforge\\d*|envs/[^/]+)/lib/");
    /** It stands between the job's functions where it profiles them; {@code leakline run} has it in a folder of its own. */
    private static final String PROBE = "/leakline_probe.py";
    /** Names in angle brackets that are a user's: a command line, a prompt, a notebook. */
    private static final List<String> TYPED_IN = List.of("<string>", "<stdin>", "<ipython-input");

    /** The owner of a frame; {@code line} 0 where unknown. */
    public static FrameOwner of(String file, int line) {
        if (isNative(file, line)) {
            return NATIVE;
        }
        String path = file.replace('\\', '/');
        if (INSTALLED_TORCH.matcher(path).find() || GENERATED.matcher(path).find()) {
            return TORCH;
        }
        if (INSTALLED.matcher(path).find()) {
            return PACKAGE;
        }
        if (TORCH_SOURCES.matcher(path).find()) {
            return TORCH;
        }
        FrameOwner imported = ImportedFile.owner(path);
        return imported != null ? imported : isPython(path) ? PYTHON : USER;
    }

    private static boolean isNative(String file, int line) {
        return file.isEmpty()
                || file.equals("??")
                || NATIVE_SOURCE.matcher(file).find()
                || (line == 0 && !file.endsWith(".py") && !file.startsWith("<"));
    }

    private static boolean isPython(String path) {
        boolean isBracketed = path.startsWith("<") && TYPED_IN.stream().noneMatch(path::startsWith);
        return isBracketed
                || path.endsWith(PROBE)
                || STANDARD_LIBRARY.matcher(path).find();
    }
}
