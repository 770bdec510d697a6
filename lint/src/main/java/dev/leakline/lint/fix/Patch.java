package dev.leakline.lint.fix;

import dev.leakline.python.edit.Edit;
import java.util.List;

/**
 * How a finding can be mended in the source.
 *
 * @param isSafe whether what the program does stays the same but for the memory
 */
public record Patch(List<Edit> edits, boolean isSafe) {
    public static final Patch NONE = new Patch(List.of(), false);

    public static Patch safe(Edit... edits) {
        return new Patch(List.of(edits), true);
    }

    public static Patch unsafe(Edit... edits) {
        return new Patch(List.of(edits), false);
    }
}
