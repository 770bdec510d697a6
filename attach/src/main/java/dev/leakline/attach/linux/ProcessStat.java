package dev.leakline.attach.linux;

/** The line {@code /proc/PID/stat} of a process; its name stands in brackets and may have any characters in it. */
public final class ProcessStat {
    private final String name;
    private final String[] fields;

    /** Takes the line apart; throws {@link IndexOutOfBoundsException} where it is none. */
    public ProcessStat(String line) {
        int end = line.lastIndexOf(')');
        this.name = line.substring(line.indexOf('(') + 1, end);
        this.fields = line.substring(end + 2).split(" ", -1);
    }

    /** What the process calls itself. */
    public String name() {
        return name;
    }

    /** A field behind the name, by its place there: 0 is the state, 1 the parent, 2 the group. */
    public String field(int place) {
        return fields[place];
    }
}
