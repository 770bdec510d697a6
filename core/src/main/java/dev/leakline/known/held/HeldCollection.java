package dev.leakline.known.held;

import dev.leakline.result.Finding;
import dev.leakline.result.FindingHolder;
import dev.leakline.result.Holders.Accumulation;
import dev.leakline.result.Holders.Hop;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The collection in which the memory of a finding piles up, as a holder dump names it.
 *
 * @param name its name in the code of its owner
 * @param owner what has it
 * @param items the references from the collection to the first tensor, and what they lead to
 */
public record HeldCollection(String name, HeldOwner owner, List<Hop> items) {
    /** A name that is a key, as that of an attribute of an object which keeps them in a dict. */
    private static final Pattern KEY = Pattern.compile("\\['(?<name>[A-Za-z_]\\w*)'\\]");

    private static final Pattern NAME = Pattern.compile("\\.?(?<name>[A-Za-z_]\\w*)( \\(closed over\\))?");

    /** That of the owner with most of a finding's memory; empty where no dump tells, or nothing piles up. */
    public static Optional<HeldCollection> of(Finding finding) {
        return finding.holders().stream().findFirst().flatMap(HeldCollection::of);
    }

    /** The references on the way to most of a finding's memory. */
    public static List<String> labels(Finding finding) {
        return finding.holders().stream()
                .limit(1)
                .flatMap(holder -> holder.path().stream())
                .map(Hop::label)
                .toList();
    }

    /** The names of what holds most of a finding's memory, as code has them: first that of the collection, then of what has that. */
    public static List<String> names(Finding finding) {
        List<String> names = new ArrayList<>();
        for (FindingHolder holder : finding.holders().stream().limit(1).toList()) {
            Accumulation pile = holder.accumulation();
            for (int hop = pile == null ? 0 : pile.hop(); hop > 0; hop--) {
                String label = holder.path().get(hop).label();
                Stream.of(NAME, KEY)
                        .map(pattern -> pattern.matcher(label))
                        .filter(Matcher::matches)
                        .forEach(name -> names.add(name.group("name")));
            }
        }
        return names;
    }

    /**
     * A way by which code gets to a collection.
     *
     * @param from the call, function or module whose variable comes first
     * @param names the variable, and the attributes behind it
     */
    public record Route(HeldOwner from, List<String> names) {}

    /** The way to what holds most of a finding's memory; empty where it begins at nothing that has variables. */
    public static Optional<Route> route(Finding finding) {
        List<String> names = names(finding).reversed();
        List<Hop> path = finding.holders().stream()
                .limit(1)
                .flatMap(holder -> holder.path().stream())
                .toList();
        return IntStream.iterate(names.size() - 1, hop -> hop >= 0, hop -> hop - 1)
                .boxed()
                .flatMap(hop -> HeldOwner.of(path.get(hop)).stream()
                        .filter(owner -> owner.kind() != HeldOwner.Kind.CLASS)
                        .map(owner -> new Route(owner, names.subList(hop, names.size()))))
                .findFirst();
    }

    private static Optional<HeldCollection> of(FindingHolder holder) {
        Accumulation pile = holder.accumulation();
        if (pile == null || pile.hop() < 1) {
            return Optional.empty();
        }
        List<Hop> path = holder.path();
        Matcher name = NAME.matcher(path.get(pile.hop()).label());
        return HeldOwner.of(path.get(pile.hop() - 1))
                .filter(_ -> name.matches())
                .map(owner -> new HeldCollection(name.group("name"), owner, holder.items()));
    }
}
