package dev.leakline.watch.screen;

import dev.leakline.watch.Overview;
import java.util.List;
import java.util.Locale;

/**
 * The choices that keys have made so far.
 *
 * @param page what is shown
 * @param pid the process that is selected; where there is none of it, the first one is
 * @param order what processes are sorted by
 * @param filter what names or numbers have to contain
 * @param isTyping whether keys write the filter
 * @param isPaused whether the picture stands still, while the watch goes on
 * @param isQuit whether it is enough
 */
record ScreenState(
        Page page,
        long pid,
        SortOrder order,
        boolean isReversed,
        String filter,
        boolean isTyping,
        boolean isPaused,
        boolean isQuit) {
    /** As it begins. */
    static final ScreenState FIRST = new ScreenState(Page.LIST, -1, SortOrder.URGENCY, false, "", false, false, false);

    private static final int LONGEST_FILTER = 40;

    /** Pages of the screen. */
    enum Page {
        LIST,
        PROCESS,
        HELP
    }

    /** The processes of an overview that are shown, in their order. */
    List<Overview.Row> shown(Overview overview) {
        return overview.processes().stream()
                .filter(this::passes)
                .sorted(order.comparator(isReversed))
                .toList();
    }

    private boolean passes(Overview.Row process) {
        String name = process.now().name() == null ? "" : process.now().name();
        return (process.pid() + " " + name).toLowerCase(Locale.ROOT).contains(filter.toLowerCase(Locale.ROOT));
    }

    /** The place of the selected process among those shown. */
    int selected(List<Overview.Row> shown) {
        for (int i = 0; i < shown.size(); i++) {
            if (shown.get(i).pid() == pid) {
                return i;
            }
        }
        return 0;
    }

    /** The state after a key, where these processes are shown, so many on a page. */
    ScreenState press(Key key, List<Overview.Row> shown, int perPage) {
        if (isTyping) {
            return type(key);
        }
        return switch (key.kind()) {
            case CHARACTER -> command(key.character(), shown);
            case UP -> move(shown, -1);
            case DOWN -> move(shown, 1);
            case PAGE_UP -> move(shown, -perPage);
            case PAGE_DOWN -> move(shown, perPage);
            case HOME -> move(shown, -shown.size());
            case END -> move(shown, shown.size());
            case ENTER -> page == Page.LIST ? select(shown, selected(shown)).turn(Page.PROCESS) : turn(Page.LIST);
            case ESCAPE, BACKSPACE -> page == Page.LIST ? filter("") : turn(Page.LIST);
            case REDRAW -> this;
        };
    }

    /** Returns whether a key asks to look into the selected process. */
    boolean isDeep(Key key) {
        return !isTyping && page != Page.HELP && key.equals(new Key(Key.Kind.CHARACTER, 'd'));
    }

    private ScreenState command(char character, List<Overview.Row> shown) {
        return switch (character) {
            case 'q' -> new ScreenState(page, pid, order, isReversed, filter, false, isPaused, true);
            case 'k' -> move(shown, -1);
            case 'j' -> move(shown, 1);
            case 's' -> new ScreenState(page, pid, order.next(), false, filter, false, isPaused, false);
            case 'r' -> new ScreenState(page, pid, order, !isReversed, filter, false, isPaused, false);
            case 'p', ' ' -> new ScreenState(page, pid, order, isReversed, filter, false, !isPaused, false);
            case '/' -> new ScreenState(Page.LIST, pid, order, isReversed, filter, true, isPaused, false);
            case '?', 'h' -> turn(page == Page.HELP ? Page.LIST : Page.HELP);
            default -> this;
        };
    }

    private ScreenState type(Key key) {
        return switch (key.kind()) {
            case CHARACTER -> filter.length() < LONGEST_FILTER ? filter(filter + key.character()) : this;
            case BACKSPACE -> filter(filter.substring(0, Math.max(filter.length() - 1, 0)));
            case ESCAPE -> filter("").typed();
            case ENTER, UP, DOWN -> typed();
            case PAGE_UP, PAGE_DOWN, HOME, END, REDRAW -> this;
        };
    }

    private ScreenState typed() {
        return new ScreenState(page, pid, order, isReversed, filter, false, isPaused, isQuit);
    }

    private ScreenState filter(String text) {
        return new ScreenState(page, pid, order, isReversed, text, isTyping, isPaused, isQuit);
    }

    private ScreenState turn(Page to) {
        return new ScreenState(to, pid, order, isReversed, filter, false, isPaused, isQuit);
    }

    private ScreenState move(List<Overview.Row> shown, int by) {
        return select(shown, Math.clamp(selected(shown) + (long) by, 0, Math.max(shown.size() - 1, 0)));
    }

    private ScreenState select(List<Overview.Row> shown, int place) {
        long number = shown.isEmpty() ? pid : shown.get(place).pid();
        return new ScreenState(page, number, order, isReversed, filter, isTyping, isPaused, isQuit);
    }
}
