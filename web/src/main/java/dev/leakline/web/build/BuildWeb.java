package dev.leakline.web.build;

import java.io.File;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.teavm.backend.javascript.JSModuleType;
import org.teavm.diagnostics.DefaultProblemTextConsumer;
import org.teavm.diagnostics.Problem;
import org.teavm.tooling.ConsoleTeaVMToolLog;
import org.teavm.tooling.TeaVMTargetType;
import org.teavm.tooling.TeaVMTool;
import org.teavm.tooling.TeaVMToolException;
import org.teavm.vm.TeaVMOptimizationLevel;

/**
 * Compiles what is on the class path, and makes the page of it: {@code BuildWeb TARGET.wasm PARTS SAMPLE...}, or {@code TARGET.js} for
 * the form in JavaScript. The page is written beside it; its scripts and style are taken from a folder, and files are offered in it as an
 * example.
 */
public final class BuildWeb {
    /** The property that names all resources, separated by blanks. */
    static final String RESOURCES = "leakline.resources";

    private BuildWeb() {}

    public static void main(String[] arguments) throws IOException, TeaVMToolException {
        List<File> classPath = Arrays.stream(
                        System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(part -> !part.isEmpty())
                .map(File::new)
                .toList();
        Path program = Path.of(arguments[0]);
        boolean isScript = program.toString().endsWith(".js");
        TeaVMTool compiler = new TeaVMTool();
        compiler.setTargetType(isScript ? TeaVMTargetType.JAVASCRIPT : TeaVMTargetType.WEBASSEMBLY_GC);
        compiler.setOptimizationLevel(isScript ? TeaVMOptimizationLevel.ADVANCED : TeaVMOptimizationLevel.SIMPLE);
        compiler.setJsModuleType(JSModuleType.UMD);
        compiler.setMainClass("dev.leakline.web.Leakline");
        compiler.setTargetDirectory(program.resolveSibling("").toFile());
        compiler.setTargetFileName(program.getFileName().toString());
        compiler.setObfuscated(!Boolean.getBoolean("plain"));
        compiler.setDebugInformationGenerated(Boolean.getBoolean("plain"));
        compiler.setStrict(Boolean.getBoolean("strict"));
        compiler.setClassPath(classPath);
        compiler.setClassLoader(BuildWeb.class.getClassLoader());
        compiler.setLog(new ConsoleTeaVMToolLog(false));
        compiler.getTransformers().addAll(List.of(AddedMethods.class.getName(), RecordForms.class.getName()));
        compiler.getProperties().setProperty(RESOURCES, String.join(" ", resources(classPath)));
        compiler.generate();
        List<Problem> problems = compiler.getProblemProvider().getProblems();
        if (!problems.isEmpty()) {
            problems.stream().map(BuildWeb::line).distinct().forEach(System.err::println);
            System.exit(1);
        }
        List<Path> samples = Arrays.stream(arguments).skip(2).map(Path::of).toList();
        String page = isScript ? "leakline-script.html" : "leakline.html";
        new PageFile(Path.of(arguments[1]), samples).write(program, isScript, program.resolveSibling(page));
    }

    private static String line(Problem problem) {
        DefaultProblemTextConsumer text = new DefaultProblemTextConsumer();
        problem.render(text);
        return problem.getSeverity() + " " + text.getText()
                + (problem.getLocation() == null
                        ? ""
                        : " at " + problem.getLocation().getMethod() + " "
                                + problem.getLocation().getSourceLocation());
    }

    /** Tables of our own, and the page's script and style. */
    private static List<String> resources(List<File> classPath) throws IOException {
        List<String> names = new ArrayList<>();
        for (File part : classPath) {
            if (part.isDirectory()) {
                addResources(part.toPath(), names);
            } else if (part.getName().startsWith("leakline-")) {
                try (FileSystem jar = FileSystems.newFileSystem(part.toPath())) {
                    addResources(jar.getPath("/"), names);
                }
            }
        }
        return names;
    }

    private static void addResources(Path root, List<String> names) throws IOException {
        Path ours = root.resolve("dev/leakline");
        try (Stream<Path> files = Files.walk(ours)) {
            files.map(file -> root.relativize(file).toString().replace('\\', '/'))
                    .filter(name -> name.endsWith(".txt") || name.startsWith("dev/leakline/web/report."))
                    .forEach(names::add);
        }
    }
}
