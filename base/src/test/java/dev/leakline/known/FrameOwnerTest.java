package dev.leakline.known;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FrameOwnerTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "train.py",
                "/home/me/project/model.py",
                "/workspace/src/train/loop.py",
                "C:\\Users\\me\\project\\train.py",
                "/tmp/ipykernel_4711/1234567.py",
                "<ipython-input-5-0123abcd>",
                "<stdin>",
                "<string>",
                "/home/me/torch/train.py",
                "/home/me/lib/model.py",
                "/home/me/site-packages-of-mine/model.py",
                "/home/me/model.cpp.py"
            })
    void theUsersOwn(String file) {
        assertThat(FrameOwner.of(file, 41)).isEqualTo(FrameOwner.USER);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/home/me/venv/lib/python3.12/site-packages/transformers/trainer.py",
                "/opt/conda/envs/train/lib/python3.10/site-packages/lightning/fabric/fabric.py",
                "/usr/lib/python3/dist-packages/numpy/core/numeric.py",
                "C:\\Users\\me\\venv\\Lib\\site-packages\\accelerate\\accelerator.py",
                "/home/me/venv/lib/python3.12/site-packages/torchvision/models/resnet.py",
                "/home/me/venv/lib/python3.12/site-packages/timm/torch/nn/layer.py"
            })
    void aPackage(String file) {
        assertThat(FrameOwner.of(file, 41)).isEqualTo(FrameOwner.PACKAGE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/home/me/venv/lib/python3.12/site-packages/torch/nn/modules/linear.py",
                "/usr/local/lib/python3.8/dist-packages/torch/_tensor.py",
                "C:\\Python311\\Lib\\site-packages\\torch\\autograd\\__init__.py",
                "/home/me/venv/lib/python3.12/site-packages/triton/runtime/jit.py",
                "/home/me/pytorch/torch/nn/modules/module.py",
                "/home/me/pytorch/torch/_tensor.py",
                "/tmp/torchinductor_me/ab/cabc123.py",
                "/home/me/torch_compile_debug/run_1/output_code.py",
                "<eval_with_key>.7"
            })
    void torch(String file) {
        assertThat(FrameOwner.of(file, 41)).isEqualTo(FrameOwner.TORCH);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/tmp/leakline-probe-1234/leakline_probe.py",
                "/usr/lib/python3.11/threading.py",
                "/opt/conda/lib/python3.10/runpy.py",
                "/home/me/miniconda3/envs/train/lib/python3.9/contextlib.py",
                "/root/.pyenv/versions/3.13.1/lib/python3.13t/queue.py",
                "/home/me/.local/share/uv/python/cpython-3.12.4-linux-x86_64-gnu/lib/python3.12/runpy.py",
                "C:\\Users\\me\\AppData\\Local\\Programs\\Python\\Python311\\Lib\\threading.py",
                "C:\\Users\\me\\miniconda3\\envs\\train\\Lib\\functools.py",
                "<frozen runpy>",
                "<frozen importlib._bootstrap>",
                "<__array_function__ internals>"
            })
    void python(String file) {
        assertThat(FrameOwner.of(file, 41)).isEqualTo(FrameOwner.PYTHON);
    }

    @ParameterizedTest
    @CsvSource({
        "??,0",
        "'',0",
        "'',7",
        "/pytorch/aten/src/ATen/native/TensorFactories.cpp,120",
        "/pytorch/c10/core/impl.H,3",
        "my_kernel.cu,12",
        "/usr/lib/libc.so.6,0",
        "python3.11,0"
    })
    void nativeCode(String file, int line) {
        assertThat(FrameOwner.of(file, line)).isEqualTo(FrameOwner.NATIVE);
    }

    @ParameterizedTest
    @CsvSource({"train.py,USER", "<stdin>,USER", "<frozen runpy>,PYTHON"})
    void aPythonFrameWithoutALineStaysOne(String file, FrameOwner owner) {
        assertThat(FrameOwner.of(file, 0)).isEqualTo(owner);
    }
}
