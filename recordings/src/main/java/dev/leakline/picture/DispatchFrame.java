package dev.leakline.picture;

import dev.leakline.known.FrameOwner;
import dev.leakline.known.ModuleCall;
import java.util.regex.Pattern;

/**
 * Frames that carry every call on, and tell nobody where memory came from: those of CPython's evaluation of bytecode, of PyTorch's dispatcher, of what records the
 * stack, and the calls of modules and of decorators around them. PyTorch's own viewer leaves out most of the C++ ones ({@code torch/utils/viz/MemoryViz.js}, frameFilter).
 */
final class DispatchFrame {
    /** Names of C's start, of CPython by its own functions, of the dispatcher, and of the stack's recording. */
    private static final Pattern NATIVE_FUNCTION =
            Pattern.compile("^_start$|^main$|^__libc_(start_(main|call_main)|init_first)"
                    + "|^_?Py(Eval|Object|Function|Vectorcall|Run|Cell|Method|CFunction|Number)_?|^Py_(Main|RunMain|BytesMain)|^py(main|run)_"
                    + "|^slot_(tp|nb|mp|sq)_|^(cfunction_(call|vectorcall)|method_vectorcall|partial_vectorcall|vectorcall_maybe|binary_op1)"
                    + "|^(at::_ops|c10::ops)::.*::(call|redispatch)\\(|c10::impl::(wrap_kernel_functor|make_boxed|BoxedKernelWrapper)|c10::Dispatcher::|KernelFunction::call"
                    + "|torch::handle_torch_function|TypeError_to_NotImplemented_"
                    + "|unwind::unwind|CapturedTraceback::gather|gather_with_cpp");

    private static final Pattern NATIVE_FILE = Pattern.compile(
            "core/(boxing|dispatch)/|(^|/)(Register|Redispatch)[^/]*\\.(cpp|h)$"
                    + "|(^|/)[Pp]ython-3[^/]*/(Python|Objects|Modules|Include)/|(^|/)(pythonrun|ceval|methodobject|pycore_ceval|pycore_call)\\.[ch]$|Modules/main\\.c$|Objects/call\\.c$|cpython/abstract\\.h$");

    private static final Pattern DECORATOR = Pattern.compile("torch/(utils/_contextlib|autograd/grad_mode)\\.py$");
    private static final Pattern START = Pattern.compile("(^|[/ ])runpy(\\.py|>)?$");

    private DispatchFrame() {}

    /** Returns whether a frame is one; {@code owner} is whose it is. */
    static boolean is(FrameOwner owner, String file, String function) {
        return switch (owner) {
            case NATIVE ->
                NATIVE_FUNCTION.matcher(function).find()
                        || NATIVE_FILE.matcher(file).find();
            case TORCH ->
                ModuleCall.is(file, function)
                        || (function.equals("decorate_context")
                                && DECORATOR.matcher(file).find());
            case PYTHON -> START.matcher(file).find();
            case PACKAGE, USER -> false;
        };
    }
}
