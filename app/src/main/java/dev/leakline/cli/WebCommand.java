package dev.leakline.cli;

import dev.leakline.cli.common.Commands;
import dev.leakline.cli.common.OutputFile;
import dev.leakline.cli.common.Terminal;
import dev.leakline.cli.common.WebPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** {@code leakline web}: the page that reads recordings in a browser, as a file. */
final class WebCommand implements Callable<Integer> {
    private final PositionalParamSpec file = PositionalParamSpec.builder()
            .type(String.class)
            .paramLabel("OUT.html")
            .arity("0..1")
            .description("File to write the page to; without it, the address of the page is printed.")
            .build();

    /** The command as the command line sees it. */
    CommandSpec spec() {
        CommandSpec spec = Commands.spec(
                this,
                "web",
                "Writes the page that reads recordings in a browser.",
                "One file for any browser with WebAssembly GC (Chrome 119, Firefox 120, Safari 18.2 or later): drop recordings, dumps and logs on it. It"
                        + " needs no server and no network, and blocks all connections.");
        spec.addPositional(file);
        return spec;
    }

    @Override
    public Integer call() throws IOException {
        Path page = WebPage.file();
        if (page == null) {
            throw new IllegalArgumentException(
                    "this installation has no page; in a checkout, ./leakline web builds it");
        }
        String name = file.getValue();
        if (name == null) {
            Terminal.out().println(page.toUri());
            Terminal.out().flush();
        } else {
            OutputFile.of("OUT.html", name, List.of(page.toString())).write(out -> out.write(Files.readAllBytes(page)));
        }
        return 0;
    }
}
