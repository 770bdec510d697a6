package dev.leakline.read.log;

import dev.leakline.read.log.LineMatches.Match;
import dev.leakline.read.log.LineMatches.Surroundings;
import dev.leakline.source.lines.FormMemo;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Finds the wordings in a view. */
final class WordingMatcher {
    /** A view with more wordings is no log; the rest is not looked at. */
    private static final int MOST_HITS = 1 << 16;

    private final LogView view;
    private final FormMemo<LineMatches> known;
    private final KeywordIndex index = Wordings.ALL.index();
    private final List<Hit> all = new ArrayList<>();
    private final NumberReader numbers;
    private final WordingMatch wording;

    /** Looks through {@code view}; {@code known} is what was found in lines of other views. */
    WordingMatcher(LogView view, FormMemo<LineMatches> known) {
        this.view = view;
        this.known = known;
        this.numbers = new NumberReader(view);
        this.wording = new WordingMatch(view, numbers);
    }

    /** All wordings, in their order; of those that overlap, the longest. */
    List<Hit> hits() {
        for (int piece = 0; piece < view.pieces() && all.size() < MOST_HITS; piece++) {
            int from = view.start(piece);
            LineMatches line = known.get(view.form(piece));
            Surroundings around = Surroundings.of(view, piece, index.state());
            if (line != null && line.fit(view, piece, around)) {
                for (Match match : line.matches()) {
                    all.add(numbers.again(match, from));
                }
                index.resume(line.after());
            } else {
                find(piece, around);
            }
        }
        return apart();
    }

    /** Looks for wordings that begin in a piece, or whose first words end there. */
    private void find(int piece, Surroundings around) {
        int from = view.start(piece);
        int to = view.start(piece + 1);
        List<Match> matches = new ArrayList<>();
        boolean isOfForm = true;
        view.note();
        int at = index.find(view.text(), from, to);
        while (at >= 0 && all.size() < MOST_HITS) {
            for (int row : index.found()) {
                isOfForm &= !Wordings.ALL.hasDigits(row);
                Hit hit = wording.find(Wordings.ALL.row(row), Wordings.ALL.letters(row), at);
                if (hit != null) {
                    all.add(hit);
                    matches.add(new Match(hit.wording(), hit.start() - from, hit.end() - from, numbers.numbers(from)));
                }
            }
            at = index.find(view.text(), at, to);
        }
        LineMatches line = isOfForm ? LineMatches.of(view, piece, around, index.state(), matches) : null;
        if (line != null) {
            known.put(view.form(piece), line);
        }
    }

    /** The hits without overlaps: the longest of each. */
    private List<Hit> apart() {
        all.sort(Comparator.comparingInt(Hit::start));
        List<Hit> taken = new ArrayList<>();
        for (int i = 0, to; i < all.size(); i = to) {
            int end = all.get(i).end();
            for (to = i + 1; to < all.size() && all.get(to).start() < end; to++) {
                end = Math.max(end, all.get(to).end());
            }
            taken.addAll(to == i + 1 ? all.subList(i, to) : longest(all.subList(i, to)));
        }
        return taken;
    }

    private static Collection<Hit> longest(List<Hit> hits) {
        if (hits.size() == 2) {
            Hit first = hits.getFirst();
            Hit second = hits.getLast();
            return List.of(second.end() - second.start() > first.end() - first.start() ? second : first);
        }
        List<Hit> longestFirst = new ArrayList<>(hits);
        longestFirst.sort(Comparator.comparingInt((Hit hit) -> hit.start() - hit.end()));
        TreeMap<Integer, Hit> taken = new TreeMap<>();
        for (Hit hit : longestFirst) {
            Map.Entry<Integer, Hit> before = taken.lowerEntry(hit.end());
            if (before == null || before.getValue().end() <= hit.start()) {
                taken.put(hit.start(), hit);
            }
        }
        return taken.values();
    }
}
