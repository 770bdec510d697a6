package dev.leakline.cli.completion;

import dev.leakline.cli.common.Commands;
import dev.leakline.cli.common.Terminal;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** {@code leakline completion}: the script by which a shell completes commands, options and their values. */
public final class CompletionCommand implements Callable<Integer> {
    /** The shells; zsh reads bash's completions. */
    enum Shell {
        BASH,
        ZSH,
        FISH
    }

    private final PositionalParamSpec shell = PositionalParamSpec.builder()
            .type(Shell.class)
            .paramLabel("bash|zsh|fish")
            .arity("1")
            .required(true)
            .description("The shell.")
            .build();

    private CommandSpec main = CommandSpec.create();

    /** The command as the command line sees it; {@code program} is what is completed. */
    public CommandSpec spec(CommandSpec program) {
        main = program;
        CommandSpec spec = Commands.spec(
                this,
                "completion",
                "Prints the completion script for a shell.",
                "bash: eval \"$(leakline completion bash)\" in ~/.bashrc. zsh: the same with zsh in ~/.zshrc."
                        + " fish: leakline completion fish | source in ~/.config/fish/config.fish.");
        spec.addPositional(shell);
        return spec;
    }

    @Override
    public Integer call() {
        if (shell.getValue() == Shell.ZSH) {
            Terminal.out().println("autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit");
        }
        Terminal.out()
                .println(
                        shell.getValue() == Shell.FISH
                                ? FishCompletion.of(main)
                                : AutoComplete.bash("leakline", new CommandLine(main)));
        Terminal.out().flush();
        return 0;
    }
}
