package dev.leakline.steps;

/** The knowledge about frames that finding steps needs, from {@code known}. Frames are numbers of the snapshot's frame table. */
public interface FrameRoles {
    /** Returns whether a frame is PyTorch's or Python's own: a loop in such code is nobody's step. */
    boolean isLibrary(int frame);

    /** Returns whether a frame is the user's own code, and not that of an installed package either. */
    boolean isUsers(int frame);

    /** Returns whether a frame is C or C++, which recordings put among the Python frames in no order. */
    boolean isNative(int frame);

    /** Returns whether a frame runs a module, beneath which a model's own function is called once a step. */
    boolean isModuleCall(int frame);

    /** Returns whether a frame runs any part of a step that has loops of its own: a module, an optimizer, a loader. */
    boolean isStepPart(int frame);

    /** Returns whether a stack shows the beginning of a backward pass. */
    boolean startsBackward(int stack);
}
