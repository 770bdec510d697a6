package dev.leakline.known.source;

import dev.leakline.known.Cause;
import dev.leakline.known.edit.SourceBox;
import dev.leakline.known.edit.SourceEdit;
import dev.leakline.known.held.HeldAdding;
import dev.leakline.known.held.HeldAdding.Added;
import dev.leakline.known.held.HeldCollection;
import dev.leakline.known.held.HeldItem;
import dev.leakline.known.python.SourceModules;
import dev.leakline.known.python.SourceSink;
import dev.leakline.known.python.SourceSink.Kind;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Advice;
import dev.leakline.result.Frame;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What the line that adds to a collection shows, where a holder dump names the collection: the edits that end a cause. */
final class SourceHeld {
    private static final String COPY = ".clone()";

    private final Cause known;
    private final HeldCollection held;
    private final List<Advice> advice;

    private SourceHeld(Cause known, HeldCollection held, List<Advice> advice) {
        this.known = known;
        this.held = held;
        this.advice = advice;
    }

    /** The line; empty where no dump names a collection, the line is not found, or the cause is not one of collections. */
    static Optional<SourceClue> of(Cause known, Finding finding, List<Frame> calls, SourceModules modules) {
        return HeldCollection.of(finding)
                .filter(_ -> known.isGeneral() || isOfItems(known))
                .flatMap(held -> new HeldAdding(held, calls, modules)
                        .find()
                        .map(added -> new SourceHeld(known, held, finding.advice()).clue(added)));
    }

    /** Whether a cause ends where other items are added. */
    private static boolean isOfItems(Cause known) {
        return known.id().equals(Cause.GRAPH_KEPT.id()) || known.equals(Cause.VIEW);
    }

    private SourceClue clue(Added added) {
        SourceSink sink = added.sink();
        return SourceEpochs.read(sink.file(), sink)
                .filter(read -> known.id().equals(read.cause().id()))
                .orElseGet(() -> SourceClue.of(known, sink.file(), sink.line(), edits(sink)))
                .addedAt(added.file());
    }

    /** The edits by which the remedies of the cause are applied; none for a remedy that the line does not show. */
    private List<SourceEdit> edits(SourceSink sink) {
        if (known.equals(Cause.CACHE_GROWS)) {
            return List.of(sink.kind() == Kind.STORED ? evicted(sink) : SourceEdit.NONE);
        }
        if (known.equals(Cause.VIEW)) {
            boolean isCopy =
                    advice.stream().limit(1).anyMatch(first -> first.action().contains(COPY));
            return List.of(isCopy ? moved(sink, COPY) : limited(sink));
        }
        SourceEdit moved = moved(sink, ".detach().cpu()");
        return known.isGeneral() ? List.of(moved, bounded(sink)) : List.of(moved);
    }

    private SourceEdit limited(SourceSink sink) {
        return sink.kind() == Kind.STORED ? evicted(sink) : bounded(sink);
    }

    private static SourceEdit evicted(SourceSink sink) {
        return SourceEdit.of(sink.file(), sink.line(), new SourceBox(sink.file(), sink.box()).evicting(sink.text()));
    }

    private SourceEdit moved(SourceSink sink, String call) {
        return new HeldItem(held.items())
                .with(sink.value(), call)
                .map(value -> SourceEdit.of(sink.file(), sink.line(), sink.with(value)))
                .orElse(SourceEdit.NONE);
    }

    /** The edit of the line that makes the collection, where one line of the file does. */
    private SourceEdit bounded(SourceSink sink) {
        return Stream.of(sink.box(), "self." + held.name(), held.name())
                .map(name -> new SourceBox(sink.file(), name))
                .filter(SourceBox::isMadeOnce)
                .findFirst()
                .flatMap(box -> box.bounded(sink))
                .orElse(SourceEdit.NONE);
    }
}
