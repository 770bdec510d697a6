package dev.leakline.known;

import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The functions of libraries that are known to keep what they allocate until another of their functions is called. */
public final class LibraryCause {
    private record Known(Pattern file, Pattern function, Cause cause) {}

    private static final List<Known> ALL = List.of(
            known(
                    "/torchmetrics/",
                    "update|_update\\w*|_wrapped_update|wrapped_func|forward|_forward\\w*",
                    Cause.METRIC),
            known("/peft/", "add_adapter|load_adapter|inject_adapter|_create_and_replace|update_layer", Cause.ADAPTERS),
            known("/transformers/", "add_adapter|load_adapter", Cause.ADAPTERS),
            known("/transformers/trainer", "evaluation_loop|prediction_loop", Cause.EVALUATION));

    private LibraryCause() {}

    private static Known known(String file, String function, Cause cause) {
        return new Known(Pattern.compile(file), Pattern.compile(function), cause);
    }

    /** The cause that objects of a type are known for, null where none is. */
    public static @Nullable Cause ofType(String type) {
        return type.startsWith("torchmetrics.") ? Cause.METRIC : null;
    }

    /** The cause that a frame of an installed package is known for, null where it is none of those. */
    public static @Nullable Cause of(String file, String function) {
        String path = file.replace('\\', '/');
        return ALL.stream()
                .filter(known -> known.file.matcher(path).find()
                        && known.function.matcher(function).matches())
                .map(Known::cause)
                .findFirst()
                .orElse(null);
    }
}
