package dev.leakline.host;

import dev.leakline.known.held.HeldAdding;
import dev.leakline.known.held.HeldAdding.Added;
import dev.leakline.known.held.HeldCollection;
import dev.leakline.known.held.HeldOwner;
import dev.leakline.known.python.PythonFunction;
import dev.leakline.known.python.SourceModules;
import dev.leakline.objects.HostPile;
import dev.leakline.result.Frame;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/** The line that adds to a collection, in the source, and whether the source bounds it. */
final class PileSite {
    private static final Pattern DEFINITION = Pattern.compile("\\s*(async )?def .*");
    /** Lines of decorators between the first line of a function and its definition. */
    private static final int MOST_DECORATORS = 8;

    private final HostPile pile;
    private final SourceModules modules;
    private final Optional<Added> added;

    PileSite(HostPile pile, Function<Frame, List<String>> lines) {
        this.pile = pile;
        this.modules = new SourceModules(lines);
        List<Added> all = held(pile)
                .map(held -> new HeldAdding(held, List.of(new Frame(pile.file(), 1, "")), modules).all())
                .orElse(List.of());
        this.added = all.stream()
                .filter(this::isOfPart)
                .findFirst()
                .or(() -> all.stream().findFirst());
    }

    /** Whether a line adds to the very collection, where there are several of one name: that of a key. */
    private boolean isOfPart(Added line) {
        return pile.rest().startsWith("[")
                && line.sink().box().replace('"', '\'').endsWith(pile.rest());
    }

    /** The line; empty where none was found. */
    Optional<Frame> line() {
        return pile.owner().equals("memo")
                ? ofMemo()
                : added.map(found -> new Frame(found.file().file(), found.sink().line(), ""));
    }

    /** The function whose results are kept, by its definition. */
    private Optional<Frame> ofMemo() {
        if (!pile.name().matches("\\d{1,7}")) {
            return Optional.empty();
        }
        int first = Integer.parseInt(pile.name());
        List<String> file = modules.files().apply(new Frame(pile.module(), 1, ""));
        for (int line = first; line <= Math.min(file.size(), first + MOST_DECORATORS); line++) {
            if (DEFINITION.matcher(file.get(line - 1)).matches()) {
                return Optional.of(new Frame(pile.module(), line, pile.attribute()));
            }
        }
        return Optional.of(new Frame(pile.module(), first, pile.attribute()));
    }

    /** Whether the line stands under a condition on the length of what it adds to, as in {@code if len(self.slots) < self.limit}. */
    boolean isGuarded() {
        return added.map(found -> {
                    Pattern length = Pattern.compile(
                            ".*\\blen\\(\\s*" + Pattern.quote(found.sink().box()) + "\\s*\\)\\s*<=?.*");
                    return PythonFunction.of(found.sink().file(), found.sink().line())
                            .isUnder(
                                    found.sink().line(),
                                    block -> length.matcher(block).matches());
                })
                .orElse(false);
    }

    /** The collection as the source knows it; empty of memos. */
    private static Optional<HeldCollection> held(HostPile pile) {
        Optional<HeldOwner.Kind> kind = switch (pile.owner()) {
            case "class" -> Optional.of(HeldOwner.Kind.CLASS);
            case "module" -> Optional.of(HeldOwner.Kind.MODULE);
            case "call" -> Optional.of(HeldOwner.Kind.CALL);
            default -> Optional.empty();
        };
        return kind.map(of -> new HeldCollection(
                pile.attribute(),
                new HeldOwner(
                        of,
                        of == HeldOwner.Kind.CALL ? pile.module().substring(pile.module().lastIndexOf('/') + 1) : pile.module(),
                        pile.name().substring(pile.name().lastIndexOf('.') + 1)),
                List.of()));
    }
}
