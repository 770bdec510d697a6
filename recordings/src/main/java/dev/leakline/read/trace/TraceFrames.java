package dev.leakline.read.trace;

import dev.leakline.columns.ProfilerFrames;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.source.ReadException;
import dev.leakline.source.ReadLimits;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The frames that the names of a trace's ranges stand for. */
final class TraceFrames {
    /** Not part of any stack. */
    static final int NONE = -1;

    /** How the profiler writes functions of Python: {@code model/train.py(41): step}. */
    private static final Pattern FUNCTION = Pattern.compile("(.*?)\\((\\d{1,9})\\): (.*)", Pattern.DOTALL);
    /** Where an object lies, in the names of its methods: another one in each call. */
    private static final Pattern ADDRESS = Pattern.compile(" (object )?at 0x[0-9a-fA-F]+");
    /** Ranges that PyTorch marks, which older traces do not tell from operators. */
    private static final Pattern MARKED = Pattern.compile("(ProfilerStep|Optimizer\\..*|enumerate\\(DataLoader\\))#.*");

    private final SnapshotColumns columns;
    private final ReadLimits limits;
    private final Map<String, Integer> functions = new HashMap<>();
    private final Map<String, Integer> operators = new HashMap<>();
    private final Map<String, Integer> ranges = new HashMap<>();
    private final BitSet engine = new BitSet();
    private final BitSet modules = new BitSet();
    private final BitSet python = new BitSet();

    TraceFrames(SnapshotColumns columns, ReadLimits limits) {
        this.columns = columns;
        this.limits = limits;
    }

    /** The frame of a function of Python, or of what Python calls. */
    int function(String name) throws ReadException {
        Integer known = functions.get(name);
        if (known == null) {
            known = newFunction(name);
            functions.put(name, known);
        }
        return known;
    }

    private int newFunction(String name) throws ReadException {
        Matcher parts = FUNCTION.matcher(name);
        if (name.startsWith(ProfilerFrames.MODULE) || !parts.matches()) {
            int frame = nameless(ADDRESS.matcher(name).replaceAll(""));
            modules.set(frame, name.startsWith(ProfilerFrames.MODULE));
            return frame;
        }
        int frame = columns.frames.intern(text(parts.group(3)), text(parts.group(1)), Integer.parseInt(parts.group(2)));
        python.set(frame);
        return frame;
    }

    /** The frame of an operator. */
    int operator(String name) throws ReadException {
        Integer known = operators.get(name);
        if (known == null) {
            known = nameless(name);
            engine.set(known, name.startsWith(ProfilerFrames.ENGINE));
            operators.put(name, known);
        }
        return known;
    }

    /** The frame of a marked range; {@link #NONE} for the profiler's own steps, which say nothing of what is done in them. */
    int range(String name) throws ReadException {
        Integer known = ranges.get(name);
        if (known == null) {
            boolean isStep = name.startsWith(ProfilerFrames.STEP);
            known = isStep ? NONE : nameless(ProfilerFrames.RANGE + ProfilerFrames.unnumbered(name));
            ranges.put(name, known);
        }
        return known;
    }

    /** Returns whether an operator of a trace that calls everything one is a marked range. */
    static boolean isRange(String operator) {
        return MARKED.matcher(operator).matches();
    }

    private int nameless(String name) throws ReadException {
        return columns.frames.intern(text(name), text(""), 0);
    }

    /** The number of a text. */
    int text(String text) throws ReadException {
        int id = columns.strings.intern(text);
        limits.checkStrings(columns.strings);
        return id;
    }

    /** Returns whether a frame is a backward pass at work for one operator. */
    boolean isEngine(int frame) {
        return engine.get(frame);
    }

    /** Returns whether a frame is a call of a module. */
    boolean isModule(int frame) {
        return modules.get(frame);
    }

    /** Returns whether a frame is a function written in Python. */
    boolean isPython(int frame) {
        return python.get(frame);
    }
}
