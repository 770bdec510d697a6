package dev.leakline.lint;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Hooks on what stays and on what is made anew, in loops and in what trainers call again and again. */
final class HooksTest {
    /** The target of a hook in a loop of steps; the hook is registered in line 5. */
    private static final String LOOP = """
            import torch
            def run(net, pages, watch):
                for page in pages:
                    TARGET
                    layer.register_forward_hook(watch)
                    net(page).sum().backward()
            """;

    static Stream<Arguments> targets() {
        List<String> found = List.of("LK015:5");
        return Stream.of(
                Arguments.of("layer = net", found),
                Arguments.of("layer = net.tower.parts[-1]", found),
                Arguments.of("tower = net.tower; layer = tower.parts[0]", found),
                Arguments.of("layer = getattr(net, 'tower')", found),
                Arguments.of("layer = net.get_submodule('tower.parts')", found),
                Arguments.of("layer = dict(net.named_modules())['tower']", found),
                Arguments.of("layer = torch.nn.Linear(9, 9)", List.of()),
                Arguments.of("whole = torch.nn.Sequential(net); layer = whole[0]", List.of()));
    }

    @ParameterizedTest
    @MethodSource
    void targets(String target, List<String> expected) {
        assertThat(Linted.of(LOOP.replace("TARGET", target))).as(target).isEqualTo(expected);
    }

    @Test
    void whatAPersonMeansToDoRemovesNoHook() {
        String source = LOOP.replace("TARGET", "layer = net").replace("layer.reg", "handle = layer.reg");
        assertThat(Linted.of(source + "        # TODO: handle.remove()\n")).containsExactly("LK015:5");
        assertThat(Linted.of(source + "        handle.remove()\n")).isEmpty();
    }

    /** A method of something that a trainer calls; the lines of BODY begin with line 7. */
    private static final String CALLED = """
            import transformers, lightning
            class Watch(BASE):
                def __init__(self):
                    super().__init__()
                    self.handle, self.hooked, self.handles = None, False, []
                def METHOD(self, model, *more, **rest):
            BODY
                def watch(self, *given):
                    print(given)
            """;

    private static final String REGISTERS = "model.tower.register_forward_hook(self.watch)";

    static Stream<Arguments> methods() {
        return Stream.of(
                Arguments.of("transformers.TrainerCallback", "on_evaluate", List.of("LK015:7")),
                Arguments.of("transformers.TrainerCallback", "on_epoch_begin", List.of("LK015:7")),
                Arguments.of("transformers.TrainerCallback", "on_step_end", List.of("LK015:7")),
                Arguments.of("transformers.TrainerCallback", "on_train_begin", List.of()),
                Arguments.of("lightning.Callback", "on_train_epoch_start", List.of("LK015:7")),
                Arguments.of("lightning.Callback", "on_validation_epoch_end", List.of("LK015:7")),
                Arguments.of("lightning.Callback", "on_fit_start", List.of()),
                Arguments.of("lightning.LightningModule", "on_validation_start", List.of("LK015:7")),
                Arguments.of("lightning.LightningModule", "setup", List.of()),
                Arguments.of("transformers.Trainer", "evaluate", List.of("LK015:7")),
                Arguments.of("object", "on_evaluate", List.of()));
    }

    @ParameterizedTest
    @MethodSource
    void methods(String base, String method, List<String> expected) {
        assertThat(Linted.of(called(base, method, REGISTERS)))
                .as("%s.%s", base, method)
                .isEqualTo(expected);
    }

    private static String called(String base, String method, String body) {
        return CALLED.replace("BASE", base)
                .replace("METHOD", method)
                .replace("BODY", body.indent(8).stripTrailing());
    }

    static Stream<String> bounded() {
        return Stream.of(
                "if self.handle is None:\n    self.handle = " + REGISTERS,
                "if not self.hooked:\n    %s\n    self.hooked = True".formatted(REGISTERS),
                "if self.hooked:\n    return\nself.hooked = True\n" + REGISTERS,
                "if not self.handles:\n    self.handles.append(%s)".formatted(REGISTERS),
                "if self.handle is not None:\n    self.handle.remove()\nself.handle = " + REGISTERS,
                "with %s:\n    model.tower(rest)".formatted(REGISTERS));
    }

    @ParameterizedTest
    @MethodSource("bounded")
    void whatIsRegisteredOnceOrRemovedIsNoPile(String body) {
        assertThat(Linted.of(called("transformers.TrainerCallback", "on_evaluate", body)))
                .as(body)
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("conditional")
    void whatAConditionOfTheStepAllowsIsOne(String condition) {
        assertThat(Linted.of(called("lightning.Callback", "on_train_epoch_end", condition + ":\n    " + REGISTERS)))
                .as(condition)
                .isEqualTo(List.of("LK015:8"));
    }

    static Stream<String> conditional() {
        return Stream.of("if rest", "if model.training", "if len(more) % 2 == 0");
    }

    @ParameterizedTest
    @MethodSource("callers")
    void aMethodThatAnEventCallsIsCalledAsOften(String event, List<String> expected) {
        String text = called("transformers.TrainerCallback", event, "self.attach(model)") + """
                    def attach(self, net):
                        net.tower.register_forward_hook(self.watch)
                """;
        assertThat(Linted.of(text)).as(event).isEqualTo(expected);
    }

    static Stream<Arguments> callers() {
        return Stream.of(Arguments.of("on_evaluate", List.of("LK015:11")), Arguments.of("on_train_begin", List.of()));
    }
}
