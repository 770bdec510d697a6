package dev.leakline.read.log;

import dev.leakline.read.log.Wording.Becomes;
import dev.leakline.read.log.Wording.Hints;
import dev.leakline.read.log.Wording.Opens;
import dev.leakline.read.log.Wording.Says;
import dev.leakline.read.log.Wording.Turns;
import dev.leakline.result.OutOfMemoryMessage.Device;
import dev.leakline.result.OutOfMemoryMessage.Form;
import dev.leakline.text.Ascii;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Puts together what wordings say of one message.
 *
 * <p>There is no grammar of a whole message, since there is one for each version of each program, and next year's is not known. A wording opens a
 * message; others of the same program that follow closely give it sizes, in any order, in new company, cut off. A message ends with the next
 * one, or where other words stand: in its line, up to {@value #MOST_BETWEEN} characters of them; over the end of a line, no more than
 * {@value #MOST_OVER_LINES}, since what is between two parts of a message is then most likely not of it.
 */
final class MessageAssembler {
    private static final int MOST_BETWEEN = 240;
    private static final int MOST_OVER_LINES = 48;
    /** Lines that other texts of the same failure may stand apart. */
    private static final int MOST_LINES = 3;
    /** Lines before a message in which what belongs to it may stand: the allocator's figures, a frame of a traceback. */
    private static final int MOST_LINES_BEFORE = 9;

    private final LogView view;
    private final long first;
    private final Talk talk;
    private final MessageGroups groups;
    private final int rank;
    private final List<Hit> before = new ArrayList<>();
    private @Nullable MessageDraft open;
    /** True if the lines of two messages seem to be mixed, so that none of what follows on later lines is certain. */
    private boolean isMixed;

    /** Finds messages that begin at a byte of the input or behind it. */
    MessageAssembler(LogView view, long first, MessageGroups groups, int rank) {
        this.view = view;
        this.first = first;
        this.talk = new Talk(view);
        this.groups = groups;
        this.rank = rank;
    }

    /** Finds the messages of the view, in which these wordings stand. */
    void run(List<Hit> hits) {
        for (Hit hit : hits) {
            switch (hit.wording().effect()) {
                case Opens opens -> open(opens, hit);
                case Says says -> say(says, hit);
                case Turns turns -> extend(hit, draft -> draft.turn(turns.form()));
                case Hints hints -> extend(hit, draft -> draft.hint(hints.hint()));
                case Becomes becomes -> {
                    if (!extend(hit, draft -> draft.become(becomes.cause()))) {
                        before.add(hit);
                    }
                }
            }
        }
        close();
    }

    private void open(Opens opens, Hit hit) {
        boolean hasSizes = !hit.sizes().isEmpty();
        if (!hasSizes && opens.form() == Form.FOREIGN && talk.isCode(hit.start(), hit.end())) {
            return;
        }
        MessageDraft message = open;
        if (message != null && isEcho(message, opens, hit)) {
            return;
        }
        if (message != null && isMore(message, opens, hit)) {
            if (message.hasNoSizes() && hasSizes && opens.cause() != null) {
                message.become(opens.cause());
            }
            message.take(hit);
            return;
        }
        boolean isSure = hasSizes || opens.form() != Form.FOREIGN || opens.isSure();
        if (!isSure && !talk.isError(hit.start(), hit.end())) {
            return;
        }
        isMixed = message != null && isDangling(message, hit);
        close();
        begin(hit.wording().program(), opens, hit);
    }

    private void begin(String program, Opens opens, Hit hit) {
        MessageDraft message = new MessageDraft(view, program, opens, hit.start(), talk.exception(hit.start()));
        if (opens.form() == Form.FOREIGN) {
            message.sure();
        }
        message.take(hit);
        open = message;
        for (Hit earlier : before) {
            adopt(message, earlier, hit);
        }
        before.clear();
    }

    private void adopt(MessageDraft message, Hit earlier, Hit hit) {
        int lines = view.line(hit.start()) - view.line(earlier.end() - 1);
        boolean mayLead = !(earlier.wording().effect() instanceof Says says) || says.mayLead();
        boolean isNear = mayLead ? lines <= MOST_LINES_BEFORE : lines == 0 && message.form() == Form.FRAGMENT;
        if (isNear && earlier.wording().program().equals(message.program()) && !message.conflicts(earlier)) {
            message.take(earlier);
            if (earlier.wording().effect() instanceof Becomes becomes) {
                message.become(becomes.cause());
            }
        }
    }

    /** Returns whether a text that names no device is only the end of what is open: {@code cudaErrorMemoryAllocation: out of memory}. */
    private boolean isEcho(MessageDraft message, Opens opens, Hit hit) {
        return opens.form() == Form.ALLOCATOR
                && opens.device() == Device.OTHER
                && message.form() == Form.FOREIGN
                && view.line(hit.start()) == view.line(Math.max(message.end() - 1, 0));
    }

    /** Returns whether a text is one more of the failure that is open, which may be told of in several ways. */
    private boolean isMore(MessageDraft message, Opens opens, Hit hit) {
        boolean isForeign = opens.form() == Form.FOREIGN && message.form() == Form.FOREIGN;
        return isForeign
                && message.program().equals(hit.wording().program())
                && (opens.device() == Device.OTHER || opens.device() == message.device())
                && view.line(hit.start()) - view.line(message.end() - 1) <= MOST_LINES
                && (!message.conflicts(hit) || message.isRepeatedBy(hit));
    }

    /** Returns whether a message begins in the line behind one that is not complete and reaches to the end of its line, as lines of two processes do. */
    private boolean isDangling(MessageDraft message, Hit next) {
        long line = view.line(Math.max(message.end() - 1, 0));
        return message.form() == Form.ALLOCATOR
                && view.line(next.start()) == line + 1
                && !message.isCompleteBefore(line + 1)
                && endsWithin(message.end());
    }

    /** Returns whether the line of a place ends in the middle of a sentence. */
    private boolean endsWithin(int place) {
        int last = view.lineEnd(place, MOST_BETWEEN) - 1;
        while (last > place && view.at(last) == ' ') {
            last--;
        }
        return last > place && (Ascii.isLetter(view.at(last)) || Ascii.isDigit(view.at(last)) || view.at(last) == ',');
    }

    private void say(Says says, Hit hit) {
        MessageDraft message = open;
        if (extend(hit, _ -> {}) || (message != null && !isBehind(message, hit) && !says.mayLead())) {
            return;
        }
        if (says.isSure() && !isMixed) {
            close();
            before.removeIf(earlier -> view.line(earlier.start()) != view.line(hit.start()));
            begin(hit.wording().program(), new Opens(Form.FRAGMENT, Device.OTHER, null, true), hit);
        } else {
            before.add(hit);
        }
    }

    /** Returns whether a text stands on a later line than all of a message, so that it is none of it. */
    private boolean isBehind(MessageDraft message, Hit hit) {
        return view.line(hit.start()) > view.line(Math.max(message.end() - 1, 0));
    }

    private boolean extend(Hit hit, java.util.function.Consumer<MessageDraft> effect) {
        MessageDraft message = open;
        if (message == null || !fits(message, hit)) {
            return false;
        }
        message.take(hit);
        effect.accept(message);
        return true;
    }

    private boolean fits(MessageDraft message, Hit hit) {
        long line = view.line(Math.max(message.end() - 1, 0));
        long hitLine = view.line(hit.start());
        boolean isSameLine = line == hitLine;
        int most = isSameLine ? MOST_BETWEEN : MOST_OVER_LINES;
        boolean isClose =
                hit.start() - message.end() <= most || (message.form() == Form.FOREIGN && hitLine - line <= MOST_LINES);
        return message.program().equals(hit.wording().program())
                && isClose
                && (isSameLine || !isMixed)
                && !message.conflicts(hit)
                && !message.isCompleteBefore(hitLine);
    }

    private void close() {
        MessageDraft message = open;
        open = null;
        if (message != null && !message.isMessage() && isNamed(message)) {
            message.sure();
        }
        if (message != null && message.place().offset() >= first) {
            groups.add(message, rank);
        }
    }

    /** Returns whether a message without a request stands behind the name of an exception or of a field for one, as one that happened. */
    private boolean isNamed(MessageDraft message) {
        int from = message.from();
        return message.device() != Device.OTHER
                && (talk.exception(from) >= 0 || talk.isField(from))
                && talk.isError(from, message.end())
                && !talk.isCode(from, message.end());
    }
}
