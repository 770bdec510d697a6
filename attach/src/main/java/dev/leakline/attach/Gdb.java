package dev.leakline.attach;

import dev.leakline.attach.linux.LiveException;
import dev.leakline.attach.linux.RemoteMemory;
import dev.leakline.attach.linux.StoppedThread;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes the same pending call with gdb: for processors whose registers {@link StoppedThread} does not know. It takes a second, and longer
 * with the symbols of large libraries, which it is therefore told not to load.
 */
final class Gdb implements Entrance {
    /** With all symbols of torch loaded, debuggers were seen to take 30 s. */
    private static final int MOST_SECONDS = 120;

    private static final int PAGE = 4096;
    private static final Pattern MAPPED = Pattern.compile("leakline-page (\\d+)");
    private static final String MMAP =
            "set $p=((unsigned long(*)(void*,unsigned long,int,int,int,long))mmap)(0," + PAGE + ",3,0x22,-1,0)";

    private final int pid;
    private String page = "";

    Gdb(int pid) {
        this.pid = pid;
    }

    @Override
    public void enter(String script) throws IOException {
        List<String> commands = new ArrayList<>(List.of(MMAP, "printf \"leakline-page %lu\\n\", $p"));
        commands.addAll(words(Entrance.statement(script).getBytes(StandardCharsets.UTF_8)));
        commands.add("print ((int(*)(void*,void*))Py_AddPendingCall)((void*)PyRun_SimpleString,(void*)$p)");
        String output = run(commands);
        Matcher mapped = MAPPED.matcher(output);
        if (!mapped.find() || !output.contains("$1 = 0")) {
            throw new LiveException(
                    "gdb could not call into process " + pid + ": " + lastLine(output),
                    "start the job with leakline run instead");
        }
        page = mapped.group(1);
    }

    @Override
    public String withdraw(boolean hasRun) throws IOException {
        if (page.isEmpty()) {
            return "";
        }
        if (!hasRun) {
            try (RemoteMemory memory = RemoteMemory.open(pid)) {
                memory.write(Long.parseUnsignedLong(page), StoppedThread.text(new byte[0]));
            }
            return "one 4 KiB page stays in the process; it holds an empty script";
        }
        run(List.of("print ((int(*)(void*,unsigned long))munmap)((void*)" + page + "," + PAGE + ")"));
        return "";
    }

    private static List<String> words(byte[] text) {
        int length = (text.length / Long.BYTES + 1) * Long.BYTES;
        ByteBuffer bytes = ByteBuffer.allocate(length).order(ByteOrder.nativeOrder());
        bytes.put(0, text);
        List<String> commands = new ArrayList<>();
        for (int at = 0; at < length; at += Long.BYTES) {
            commands.add("set {unsigned long}($p+" + at + ")=0x" + Long.toHexString(bytes.getLong(at)));
        }
        return commands;
    }

    private String run(List<String> commands) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                "gdb",
                "-batch",
                "-nx",
                "-iex",
                "set auto-solib-add off",
                "-iex",
                "set debuginfod enabled off",
                "-p",
                String.valueOf(pid),
                "-ex",
                "set unwindonsignal on",
                "-ex",
                "sharedlibrary libc",
                "-ex",
                "sharedlibrary libpython"));
        commands.forEach(each -> command.addAll(List.of("-ex", each)));
        command.addAll(List.of("-ex", "detach"));
        Process gdb = start(command);
        try {
            String output = new String(gdb.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!gdb.waitFor(MOST_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException("gdb takes more than " + MOST_SECONDS + " s");
            }
            return output;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            gdb.destroy();
        }
    }

    private static Process start(List<String> command) throws IOException {
        try {
            return new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException e) {
            throw new LiveException(
                    "on this processor (" + System.getProperty("os.arch")
                            + ") leakline attaches with gdb, and gdb is not installed",
                    "install gdb, or start the job with leakline run instead");
        }
    }

    /** The last line but for the one that says that gdb has left the process: what went wrong stands there. */
    private static String lastLine(String output) {
        return dev.leakline.text.Printable.of(
                output.lines()
                        .filter(line -> !line.isBlank() && !line.startsWith("[Inferior"))
                        .reduce("no output", (_, last) -> last),
                200);
    }
}
