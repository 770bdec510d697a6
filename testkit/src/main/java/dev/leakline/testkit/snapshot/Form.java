package dev.leakline.testkit.snapshot;

import dev.leakline.testkit.pickle.Shared;
import dev.leakline.testkit.snapshot.event.CallStack;
import dev.leakline.testkit.snapshot.event.StackFrame;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The shared parts of one snapshot's tree: the layout, the writer whose order of keys they have, and the objects for
 * frames. A frame is one dict wherever it occurs, a captured stack one list.
 */
final class Form {
    final Layout layout;
    final boolean cpp;
    private final Map<StackFrame, Object> frames = new HashMap<>();
    private final IdentityHashMap<CallStack, Object> stacks = new IdentityHashMap<>();
    private final List<Object> noFrames = new ArrayList<>();

    Form(Layout layout, boolean cpp) {
        this.layout = layout;
        this.cpp = cpp;
    }

    boolean since(Layout first) {
        return layout.since(first);
    }

    /** The list of a stack's frames; the one empty list for null. */
    Object frames(@Nullable CallStack stack) {
        return stack == null ? noFrames : stacks.computeIfAbsent(stack, this::list);
    }

    /** A container that the C++ writer has in its hands twice, so that it enters the memo. */
    Object held(Object container) {
        return cpp ? Shared.of(container) : container;
    }

    /** A string object of its own. */
    static String fresh(String text) {
        return String.valueOf(text.toCharArray());
    }

    private Object list(CallStack stack) {
        List<Object> list = new ArrayList<>();
        stack.frames().forEach(frame -> list.add(frames.computeIfAbsent(frame, this::dict)));
        return held(list);
    }

    private Object dict(StackFrame frame) {
        boolean fileFirst = !since(Layout.V2_1);
        Map<String, Object> dict = new LinkedHashMap<>();
        if (fileFirst) {
            dict.put("filename", frame.file());
        }
        dict.put("name", frame.name());
        if (!fileFirst) {
            dict.put("filename", frame.file());
        }
        dict.put("line", frame.line());
        return dict;
    }
}
