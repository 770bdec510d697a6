package dev.leakline.objects;

import dev.leakline.result.HostMemory.Kind;
import java.util.Map;

/**
 * A collection that grows, as a look saw it.
 *
 * @param owner what has it: module, class, call or memo
 * @param module the module of that; of a call and a memo, the path of its file
 * @param name the class; of a call and a memo, its first line
 * @param attribute the name of the collection there
 * @param rest how it is reached from there, such as {@code ['score']}
 * @param file the path of the file
 * @param function the function of a call
 * @param most items that it keeps at most; 0 where it has no such limit
 * @param items how many it has
 * @param grown how many of them came since it was first seen
 * @param rises in how many looks it had more than before
 * @param bytes what those that came keep, estimated by a few
 * @param holds the type of its newest item
 */
public record HostPile(
        String owner,
        String module,
        String name,
        String attribute,
        String rest,
        String file,
        String function,
        long most,
        long items,
        long grown,
        long rises,
        Map<Kind, Long> bytes,
        String holds) {

    /** The bytes of a part that came. */
    public long bytes(Kind kind) {
        return bytes.getOrDefault(kind, 0L);
    }

    /** The name by which looks tell it from others. */
    public String title() {
        String ofCall = function.replace(".<locals>", "");
        String outer = function.contains("<locals>") ? ofCall.substring(0, ofCall.lastIndexOf('.')) : ofCall;
        return switch (owner) {
            case "class" -> name + "." + attribute + rest;
            case "call" -> outer + "." + attribute + rest;
            default -> attribute + rest;
        };
    }
}
