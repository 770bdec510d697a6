package dev.leakline.cli.common;

import dev.leakline.codec.Codec;
import dev.leakline.source.ReadException;
import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Prints failures in one line and maps them to exit codes. */
public final class Failures {
    /** Something was found that {@code --fail-on} asks for. */
    public static final int FOUND = 1;

    /** An input cannot be read, or not to its end. */
    public static final int UNREADABLE = 3;

    private static final int USAGE = 2;
    /** The forms for programs, as they are asked for. */
    private static final Pattern JSON = Pattern.compile(" --format[ =](json|jsonl|brief) ");

    /** Characters that shells replace by names of files, and leave where there are none. */
    private static final Pattern PATTERN = Pattern.compile("[*?\\[]");
    /** A fault of this program, as distinct from one of its input. */
    private static final int INTERNAL = 70;

    /** Messages so far, so that programs can be given them as well. */
    private static final List<String> SAID = Collections.synchronizedList(new ArrayList<>());

    private Failures() {}

    /**
     * Says on stdout what went wrong, where JSON was asked for and nothing else stands there; and that output was lost, where it was. Returns the exit
     * code that this calls for.
     */
    public static int tell(int exit, String... words) {
        String typed = " " + String.join(" ", words) + " ";
        if (exit != 0
                && !SAID.isEmpty()
                && Terminal.isSilent()
                && JSON.matcher(typed).find()) {
            Map<String, Object> error = new LinkedHashMap<>();
            error.put("schema", "leakline.error/1");
            error.put("error", String.join("; ", SAID));
            error.put("exit", exit);
            error.put("next", NextStep.last());
            Terminal.out().println(Codec.line(error));
        }
        if (Terminal.out().checkError()) {
            int code = say("the output could not be written", UNREADABLE);
            return exit == 0 ? code : exit;
        }
        return exit;
    }

    /** Prints a failure that ended a command and where to read on, and returns its exit code. */
    public static int report(Exception failure, CommandSpec command) {
        int code = report(failure);
        if (failure instanceof Advised advised) {
            advised.suggest();
        } else if (code != 0) {
            NextStep.help(command.qualifiedName());
        }
        return code;
    }

    /** Prints a failure, and returns its exit code. */
    public static int report(Exception failure) {
        return switch (failure) {
            case IllegalArgumentException _ -> say(String.valueOf(failure.getMessage()), USAGE);
            case NoSuchFileException _ -> say(failure.getMessage() + ": no such file", UNREADABLE);
            case IOException e when Terminal.isBrokenPipe(e) -> 0; // whoever read has seen enough
            case IOException e -> say(reason(e), UNREADABLE);
            default -> {
                IOException cause = cause(failure);
                yield cause == null ? reportFault(failure) : report(cause);
            }
        };
    }

    /** The system's failure, which libraries that write documents wrap, maybe twice; null where there is none. */
    static @Nullable IOException cause(Exception failure) {
        Throwable cause = failure.getCause();
        while (cause != null && !(cause instanceof IOException)) {
            cause = cause.getCause();
        }
        return (IOException) cause;
    }

    /** Wrong usage of which it is known what is meant. */
    public static final class Advised extends IllegalArgumentException {
        private final transient Runnable next;

        /** {@code next} prints the {@link NextStep}. */
        public Advised(String message, Runnable next) {
            super(message);
            this.next = next;
        }

        private void suggest() {
            next.run();
        }
    }

    /** Prints what is wrong with a command line, what may be meant, and where to read on. */
    public static int report(ParameterException misuse) {
        CommandSpec command = misuse.getCommandLine().getCommandSpec();
        String message = String.valueOf(misuse.getMessage());
        String meant = "";
        if (misuse instanceof UnmatchedArgumentException unmatched) {
            boolean isNoCommand = command.parent() == null && !unmatched.isUnknownOption();
            message = isNoCommand
                    ? "no command or file '" + unmatched.getUnmatched().getFirst() + "'"
                    : message;
            List<String> alike = unmatched.getSuggestions();
            meant = alike.isEmpty() ? "" : "did you mean " + String.join(" or ", alike) + "? ";
        }
        int code = say(message, USAGE);
        NextStep.help(meant, command.qualifiedName());
        return code;
    }

    /** Prints that an input cannot be read, and returns the exit code. */
    public static int report(String path, IOException failure) {
        String what = failure instanceof ReadException ? failure.getMessage() : "read error: " + reason(failure);
        boolean isPattern = PATTERN.matcher(path).find() && !new File(path).exists();
        return say(path + ": " + (isPattern ? "no file matches this pattern" : what), UNREADABLE);
    }

    /** The reason for a failure, in words also where Java has none. */
    static String reason(IOException failure) {
        String message = failure.getMessage();
        return message != null ? message : failure instanceof EOFException ? "it ends early" : "input or output failed";
    }

    /** Prints that the heap is too small for an input, and returns the exit code. */
    public static int reportFullHeap() {
        long mebibytes = Runtime.getRuntime().maxMemory() >> 20;
        return say(
                "the heap of " + mebibytes + " MiB is too small for this input; raise it, for example"
                        + " LEAKLINE_JAVA_OPTS=-Xmx" + Math.max(mebibytes * 2 / 1024, 1) + "g",
                UNREADABLE);
    }

    private static int reportFault(Exception failure) {
        StackTraceElement[] trace = failure.getStackTrace();
        String where = trace.length == 0 ? "" : " at " + trace[0];
        return say("internal error in leakline, please report it: " + failure + where, INTERNAL);
    }

    /** Prints what went wrong, and returns the exit code that it is given. */
    public static int say(String message, int code) {
        SAID.add(message);
        Terminal.err().println("leakline: " + dev.leakline.text.Printable.of(message));
        return code;
    }
}
