package dev.leakline.known;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ModuleCallTest {
    @ParameterizedTest
    @CsvSource({
        "/venv/site-packages/torch/nn/modules/linear.py, forward",
        "C:\\Python\\Lib\\site-packages\\torch\\nn\\modules\\conv.py, forward",
        "/venv/site-packages/torch/nn/functional.py, scaled_dot_product_attention",
    })
    void layersOfPyTorchOnlyCompute(String file, String function) {
        assertThat(ModuleCall.computes(file, function)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "/venv/site-packages/torch/nn/modules/container.py, forward",
        "/venv/site-packages/torch/nn/modules/module.py, _call_impl",
        "/venv/site-packages/torch/autograd/graph.py, _engine_run_backward",
        "/app/model.py, forward",
    })
    void whatRunsOthersOrFreesGraphsDoesMore(String file, String function) {
        assertThat(ModuleCall.computes(file, function)).isFalse();
    }
}
