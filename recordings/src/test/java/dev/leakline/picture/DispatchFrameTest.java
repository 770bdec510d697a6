package dev.leakline.picture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.known.FrameOwner;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DispatchFrameTest {
    @ParameterizedTest
    @CsvSource({
        "NATIVE, /usr/local/src/Python-3.11/Python/ceval.c, _PyEval_EvalFrameDefault",
        "NATIVE, ??, _PyObject_MakeTpCall",
        "NATIVE, ??, PyEval_EvalCode",
        "NATIVE, /pytorch/torch/csrc/profiler/unwind/unwind.cpp, torch::unwind::unwind()",
        "NATIVE, /pytorch/build/aten/src/ATen/RegisterCUDA.cpp, at::(anonymous namespace)::wrapper_CUDA_addmm",
        "NATIVE, Operators_0.cpp, 'at::_ops::addmm::redispatch(c10::DispatchKeySet, at::Tensor const&)'",
        "NATIVE, /pytorch/aten/src/ATen/core/boxing/KernelFunction_impl.h, call_functor",
        "TORCH, /venv/site-packages/torch/nn/modules/module.py, _call_impl",
        "TORCH, /venv/site-packages/torch/utils/_contextlib.py, decorate_context",
        "PYTHON, <frozen runpy>, _run_code",
        "PYTHON, /usr/lib/python3.10/runpy.py, _run_module_as_main",
    })
    void carriesCallsOn(FrameOwner owner, String file, String function) {
        assertThat(DispatchFrame.is(owner, file, function)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "NATIVE, /pytorch/aten/src/ATen/native/cuda/Blas.cpp, at::native::addmm_out_cuda_impl",
        "NATIVE, /pytorch/torch/csrc/autograd/python_variable.cpp, THPVariable_to",
        "TORCH, /venv/site-packages/torch/nn/modules/linear.py, forward",
        "PYTHON, /usr/lib/python3.10/threading.py, run",
        "USER, /app/ceval.c, _call_impl",
        "USER, /app/runpy.py, main",
    })
    void saysWhereMemoryCameFrom(FrameOwner owner, String file, String function) {
        assertThat(DispatchFrame.is(owner, file, function)).isFalse();
    }
}
