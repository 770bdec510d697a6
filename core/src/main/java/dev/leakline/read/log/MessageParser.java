package dev.leakline.read.log;

import dev.leakline.read.log.LogVocabulary.Pattern;
import dev.leakline.read.log.MessageDraft.Size;
import dev.leakline.read.log.Phrase.Hints;
import dev.leakline.read.log.Phrase.Names;
import dev.leakline.read.log.Phrase.Opens;
import dev.leakline.read.log.Phrase.Says;
import dev.leakline.read.log.Phrase.Turns;
import dev.leakline.result.OutOfMemoryLog.Place;
import dev.leakline.result.OutOfMemoryMessage.Device;
import dev.leakline.result.OutOfMemoryMessage.Form;
import dev.leakline.result.OutOfMemoryMessage.Meaning;
import dev.leakline.result.PrintedSize;
import dev.leakline.source.LogLines;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds messages in the words of one speaker of a log, such as a rank.
 *
 * <p>There is no grammar of a whole message, since there is one for each version of torch and next year's is not known. Instead the last
 * few words are kept, and each word that ends a {@link Phrase} is asked whether the words before it make it one. {@code CUDA out of
 * memory} opens a message; {@code 5.80 GiB is free} gives a size its meaning, wherever it stands. What a message is made of may thus come in any
 * order, in new company, wrapped over lines, cut off.
 *
 * <p>Words that are in no phrase break phrases outside of messages, where prose is. Within a message, and at the beginning of every
 * line, they are skipped: there they are time stamps, levels, names of files, or new wordings. A message ends with the next
 * one, or when nothing in the last {@value #MOST_SILENT_TOKENS} words, or in {@value #MOST_SILENT_LINES} lines, was understood. A size that no
 * phrase explains is kept with the words around it.
 *
 * <p>The cost of a word is bounded by the few phrases that end in it; no text is read twice.
 */
final class MessageParser {
    /** The hint at the end of a message, which is the longest stretch without a size, has 25 words. */
    private static final int MOST_SILENT_TOKENS = 64;
    /** Lines of others that a logger may put between two lines of a wrapped message. */
    private static final int MOST_SILENT_LINES = 3;
    /** One word of a message may stand anywhere; two are a piece of it. */
    private static final int SPEAKING_WORDS = 2;
    /** Sizes outside of messages that are kept in case a message without its beginning follows: no version prints more before. */
    private static final int MOST_LOOSE = 4;
    /** Characters of a number; none that matters has more. */
    private static final int MOST_DIGITS = 32;
    /** Characters of a foreign text behind the words that tell it: what was called, and where. */
    private static final int FOREIGN_END = 160;

    /** A token of the last few. */
    private static final class Token {
        private int symbol;
        private String digits = "";
        /** The power of 1024 of a size's unit. */
        private int power;

        private @Nullable Size size;
    }

    private final LogVocabulary vocabulary = LogVocabulary.DEFAULT;
    private final LogLines lines;
    private final Surroundings around;
    private final MessageGroups groups;
    private final int rank;
    private final Token[] ring;
    /** Tokens kept so far; the last is at {@code count - 1}, modulo the ring. */
    private long count;

    private @Nullable MessageDraft open;
    private final List<Size> loose = new ArrayList<>();
    private long looseLine;
    /** Where the text begins that the open message has not yet. */
    private int unread;

    private boolean isPrefix;
    /** Where the last number of the prefix stands; -1 where there is none, or a word behind it. */
    private int prefixFrom = -1;

    private int prefixTo;
    private int wordsOfLine;
    private int silentLines;
    private int silentTokens;

    MessageParser(LogLines lines, MessageGroups groups, int rank) {
        this.lines = lines;
        this.around = new Surroundings(lines);
        this.groups = groups;
        this.rank = rank;
        this.ring = new Token[Integer.highestOneBit(LogVocabulary.DEFAULT.longest()) * 2];
        for (int i = 0; i < ring.length; i++) {
            ring[i] = new Token();
        }
    }

    /** A new piece begins, whose words stand from a place on. */
    void beginPiece(int from) {
        unread = from;
        isPrefix = lines.isStart();
        prefixFrom = -1;
        wordsOfLine = lines.isStart() ? 0 : wordsOfLine;
    }

    /** The piece ends. */
    void endPiece() {
        settleNumber(lines.length());
        MessageDraft message = open;
        if (message != null) {
            boolean isForeign = message.form() == Form.FOREIGN;
            message.append(
                    lines.text(), unread, isForeign ? Math.min(lines.length(), unread + FOREIGN_END) : lines.length());
            message.append(new char[] {' '}, 0, 1);
            if (isForeign && lines.number() == message.place.line()) {
                message.progress();
            }
            silentLines = wordsOfLine < SPEAKING_WORDS ? silentLines + 1 : 0;
            if (silentLines >= MOST_SILENT_LINES) {
                close();
            }
        }
    }

    /** Ends the message that is open, if one is. */
    void close() {
        MessageDraft message = open;
        open = null;
        if (message != null) {
            groups.add(message, rank);
        }
    }

    /** The next token, which is the text between two places of the piece. */
    void token(int symbol, int from, int to) {
        if (symbol == LogVocabulary.NUMBER) {
            number(from, to);
        } else if (LogVocabulary.isUnit(symbol)) {
            unit(symbol, from, to);
        } else if (LogVocabulary.isKnown(symbol) && !(isPrefix && symbol == LogVocabulary.ERROR)) {
            known(symbol, from, to);
        } else if (!isPrefix && (symbol == LogVocabulary.COLON || open == null)) {
            push(symbol, from);
        } else {
            prefixFrom = -1;
            countSilence();
        }
    }

    private void number(int from, int to) {
        if (isPrefix) {
            prefixFrom = from;
            prefixTo = to;
        } else {
            settleNumber(from);
            push(LogVocabulary.NUMBER, from).digits = digits(from, to);
            match(LogVocabulary.NUMBER, from, to);
        }
    }

    private String digits(int from, int to) {
        return new String(lines.text(), from, Math.min(to - from, MOST_DIGITS));
    }

    private void unit(int symbol, int from, int to) {
        endPrefix(symbol, from);
        Token last = last(0);
        if (last.symbol != LogVocabulary.NUMBER) {
            push(symbol, from);
            return;
        }
        last.symbol = LogVocabulary.SIZE;
        last.power = symbol - LogVocabulary.UNIT;
        if (open != null) {
            last.size = size(last, new String(lines.text(), from, to - from), around.words(from, to));
        }
        MessageDraft message = open;
        if (message != null && last.size != null) {
            message.add(last.size);
        }
        match(LogVocabulary.SIZE, from, to);
    }

    /** The size that a token stands for; null for what no device has. Outside of messages, most are never asked for. */
    private @Nullable Size size(Token token, String unit, String words) {
        PrintedSize printed = SizeText.of(token.digits, token.power, token.digits + " " + unit);
        return printed == null ? null : new Size(printed, words, lines.number());
    }

    private void known(int symbol, int from, int to) {
        endPrefix(symbol, from);
        settleNumber(from);
        wordsOfLine++;
        push(symbol, from);
        match(symbol, from, to);
    }

    /** The first word that is understood ends what stands before each line; a number right before it may belong to it. */
    private void endPrefix(int symbol, int from) {
        if (!isPrefix) {
            return;
        }
        isPrefix = false;
        boolean hasDigits = prefixFrom >= 0
                && new String(lines.text(), prefixTo, from - prefixTo).isBlank()
                && (LogVocabulary.isUnit(symbol) || vocabulary.takesNumber(last(0).symbol));
        unread = hasDigits ? prefixFrom : from;
        if (hasDigits) {
            push(LogVocabulary.NUMBER, from).digits = digits(prefixFrom, prefixTo);
        }
    }

    /** Takes a number for one of bytes where it has no unit, in messages that print such. */
    private void settleNumber(int at) {
        Token last = last(0);
        boolean isBytes = open != null
                && last.symbol == LogVocabulary.NUMBER
                && (open.form() == Form.WARNING || open.form() == Form.PREEMPTIVE);
        PrintedSize printed = isBytes ? SizeText.of(last.digits, 0, last.digits) : null;
        if (open != null && printed != null) {
            Size size = new Size(printed, "", lines.number());
            last.symbol = LogVocabulary.SIZE;
            last.size = size;
            if (match(LogVocabulary.SIZE, at, at)) {
                open.add(size);
            } else {
                last.symbol = LogVocabulary.NUMBER;
                last.size = null;
            }
        }
    }

    private Token push(int symbol, int from) {
        if (symbol == LogVocabulary.COLON) {
            settleNumber(from);
        }
        Token token = ring[(int) (count++ & (ring.length - 1))];
        token.symbol = symbol;
        token.digits = "";
        token.size = null;
        countSilence();
        return token;
    }

    /** The last token, or one before it. */
    private Token last(int before) {
        return ring[(int) ((count - 1 - before) & (ring.length - 1))];
    }

    private void countSilence() {
        if (open != null && ++silentTokens > MOST_SILENT_TOKENS) {
            close();
        }
    }

    private boolean match(int symbol, int from, int to) {
        for (Pattern pattern : vocabulary.endingIn(symbol)) {
            if (isLast(pattern) && apply(pattern, from, to)) {
                return true;
            }
        }
        return false;
    }

    private boolean isLast(Pattern pattern) {
        int[] symbols = pattern.symbols();
        if (symbols.length > count) {
            return false;
        }
        for (int i = 0; i < symbols.length; i++) {
            if (last(symbols.length - 1 - i).symbol != symbols[i]) {
                return false;
            }
        }
        return true;
    }

    private boolean apply(Pattern pattern, int from, int to) {
        return switch (pattern.effect()) {
            case Opens opens -> open(opens, pattern, from, to);
            case Turns turns -> turn(turns, to);
            case Says says -> say(says, pattern, to);
            case Names _ -> name(to);
            case Hints hints -> hint(hints, to);
        };
    }

    private boolean open(Opens opens, Pattern pattern, int from, int to) {
        int start = around.start(pattern, from);
        if (isMore(opens, pattern, start)) {
            progress(to);
        } else {
            close();
            begin(opens, start, to);
            nameWithin(pattern);
        }
        return true;
    }

    /** Takes the number of the device where it stands among the words that open a message. */
    private void nameWithin(Pattern pattern) {
        int[] symbols = pattern.symbols();
        for (int i = 0; i < symbols.length; i++) {
            if (symbols[i] == LogVocabulary.NUMBER && open != null && open.form() != Form.FOREIGN) {
                open.name(number(last(symbols.length - 1 - i)));
            }
        }
    }

    /** The whole number of a token; -1 where it is none, or longer than any that matters. */
    private static long number(Token token) {
        boolean isWhole = !token.digits.isEmpty() && token.digits.length() <= 18 && !token.digits.contains(".");
        return isWhole ? Long.parseLong(token.digits) : -1;
    }

    /** Whether an opening belongs to the foreign text that is open, which may name its error twice. */
    private boolean isMore(Opens opens, Pattern pattern, int start) {
        MessageDraft message = open;
        if (message == null || message.form() != Form.FOREIGN) {
            return false;
        }
        boolean isForeign = opens.form() == Form.FOREIGN;
        boolean isName = pattern.symbols().length == 1 && around.exception(start) < 0;
        return opens.device() == Device.OTHER || (isForeign && (message.place.line() == lines.number() || isName));
    }

    private void begin(Opens opens, int start, int to) {
        int exception = around.exception(start);
        int first = exception < 0 ? start : exception;
        Place place = new Place(lines.number(), lines.offset(first));
        open = new MessageDraft(opens, place, exception < 0 ? "" : around.name(exception));
        unread = first;
        silentLines = 0;
        progress(to);
    }

    private boolean turn(Turns turns, int to) {
        MessageDraft message = open;
        if (message == null || (turns.form() == Form.FOREIGN && message.form() != Form.FOREIGN)) {
            return false;
        }
        message.turn(turns.form());
        progress(to);
        return true;
    }

    private boolean say(Says says, Pattern pattern, int to) {
        Token token = last(pattern.symbols().length - 1 - pattern.size());
        if (token.size == null && open == null) {
            token.size = size(token, SizeText.unit(token.power), "");
        }
        Size size = token.size;
        if (size == null || !size.isUnknown() || isOthers(says, pattern)) {
            return false;
        }
        size.mean(says.meaning(), pid(says, pattern));
        if (open == null) {
            keepLoose(size);
            if (!says.isSure()) {
                return true;
            }
            begin(new Opens(Form.FRAGMENT, Device.OTHER, true), around.start(pattern, Math.max(to - 1, 0)), to);
            adoptLoose();
        }
        progress(to);
        return true;
    }

    private void adoptLoose() {
        MessageDraft message = open;
        if (message != null) {
            loose.forEach(message::add);
        }
        loose.clear();
    }

    /** Whether a size is not the open message's: it has one like it, it had all, it has none, or others ask in these words. */
    private boolean isOthers(Says says, Pattern pattern) {
        MessageDraft message = open;
        return message != null
                && (message.has(says.meaning())
                        || message.isCompleteBefore(lines.number())
                        || message.form() == Form.FOREIGN
                        || (message.form() == Form.ALLOCATOR && !message.hasDevice() && isStranger(says, pattern)));
    }

    /**
     * Whether a request after {@code out of memory} is not in the words of PyTorch, where no device is named that PyTorch is known to
     * have: it must follow at once. JAX says {@code while trying to allocate}, CPU allocators and kernels say other things.
     */
    private boolean isStranger(Says says, Pattern pattern) {
        int before = pattern.symbols().length;
        return says.meaning() == Meaning.REQUESTED
                && (last(before - 1).symbol != LogVocabulary.TRIED || last(before).symbol != LogVocabulary.MEMORY);
    }

    private long pid(Says says, Pattern pattern) {
        boolean isOther = says.meaning() == Meaning.OTHER_PROCESS;
        return isOther ? Math.max(number(last(pattern.symbols().length - 2)), 0) : 0;
    }

    private void keepLoose(Size size) {
        if (looseLine != lines.number() || loose.size() == MOST_LOOSE) {
            loose.clear();
        }
        looseLine = lines.number();
        loose.add(size);
    }

    private boolean name(int to) {
        MessageDraft message = open;
        boolean applies = message != null && !message.isCompleteBefore(lines.number());
        if (message != null && applies) {
            message.name(number(last(0)));
            progress(to);
        }
        return applies;
    }

    private boolean hint(Hints hints, int to) {
        if (open != null) {
            open.hint(hints.hint());
            progress(to);
        }
        return open != null;
    }

    private void progress(int to) {
        MessageDraft message = open;
        if (message != null) {
            int end = to;
            while (end < lines.length() && ").`'".indexOf(lines.text()[end]) >= 0) {
                end++;
            }
            message.append(lines.text(), unread, end);
            message.progress();
            unread = Math.max(end, unread);
            silentTokens = 0;
        }
    }
}
