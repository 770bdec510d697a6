package dev.leakline.columns;

/** The functions of frames that a profiler's traces have beside those of Python; such frames have no file. */
public final class ProfilerFrames {
    /** Begins the name of a call of a module; its class and a number follow. */
    public static final String MODULE = "nn.Module: ";
    /** Begins the name of a range that the program or PyTorch marked, as it stands in stacks. */
    public static final String RANGE = "record_function: ";
    /** Begins the name of what a backward pass does for one operator of the forward pass; autograd's name of that follows. */
    public static final String ENGINE = "autograd::engine::evaluate_function: ";
    /** The name of the profiler's own range for a step; its number follows. */
    public static final String STEP = "ProfilerStep#";

    private ProfilerFrames() {}

    /** A range's name without the number that some have at their end, so that all iterations of a loop have one name. */
    public static String unnumbered(String name) {
        int end = name.length();
        while (end > 0 && Character.isDigit(name.charAt(end - 1))) {
            end--;
        }
        return end > 0 && end < name.length() && name.charAt(end - 1) == '#' ? name.substring(0, end - 1) : name;
    }
}
