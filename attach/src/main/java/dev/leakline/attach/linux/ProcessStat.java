package dev.leakline.attach.linux;

import java.io.IOException;

/** The line {@code /proc/PID/stat} of a process; its name stands in brackets and may have any characters in it. */
public final class ProcessStat {
    private static final int START = 19;

    private final String name;
    private final String[] fields;

    /** Takes the line apart; throws {@link IndexOutOfBoundsException} where it is none. */
    public ProcessStat(String line) {
        int end = line.lastIndexOf(')');
        this.name = line.substring(line.indexOf('(') + 1, end);
        this.fields = line.substring(end + 2).split(" ", -1);
    }

    /** That of a process. */
    public static ProcessStat of(int pid) throws IOException {
        return new ProcessStat(ProcFile.text(pid, "stat"));
    }

    /** When the process began, in the kernel's ticks since the machine did: with its number, what no other process has. */
    public String start() {
        return field(START);
    }

    /** The name that the process gives itself. */
    public String name() {
        return name;
    }

    /** A field behind the name, by its place there: 0 is the state, 1 the parent, 2 the group. */
    public String field(int place) {
        return fields[place];
    }
}
