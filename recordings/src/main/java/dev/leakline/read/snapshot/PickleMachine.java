package dev.leakline.read.snapshot;

import static dev.leakline.read.snapshot.ValueStack.BOOL;
import static dev.leakline.read.snapshot.ValueStack.DICT;
import static dev.leakline.read.snapshot.ValueStack.FLOAT;
import static dev.leakline.read.snapshot.ValueStack.INT;
import static dev.leakline.read.snapshot.ValueStack.LIST;
import static dev.leakline.read.snapshot.ValueStack.NULL;
import static dev.leakline.read.snapshot.ValueStack.OTHER;
import static dev.leakline.read.snapshot.ValueStack.STRING;

import dev.leakline.source.ByteWindow;
import dev.leakline.source.ReadException;
import dev.leakline.source.ReadException.Code;
import dev.leakline.source.ReadLimits;
import java.io.IOException;

/**
 * Python's pickle machine, protocols 0 to 5, without the part that makes it dangerous.
 *
 * <p>A pickle is a program for a stack machine. Most of its operations push a value or put the topmost values into a container;
 * those are all that a memory snapshot needs, and they are done here on the {@link ValueStack}, which holds numbers, never objects. The
 * operations that import, call or build something are known only in order to refuse them by name ({@link Forbidden}). So a hostile
 * file can waste time in proportion to its size, and nothing else.
 *
 * <p>Both writers are understood: Python's remembers a container before it fills it, PyTorch's C++ one after.
 */
final class PickleMachine {
    private final ByteWindow in;
    private final Assembler assembler;
    private final ValueStack stack;
    private final Memo memo;
    private final ReadLimits limits;
    private final TextOperands text;
    private final EventLane lane;
    private int protocol;
    /** Where the operation at work stands. */
    private long offset;

    PickleMachine(ByteWindow in, Assembler assembler, ReadLimits limits) {
        this.in = in;
        this.assembler = assembler;
        this.stack = assembler.stack;
        this.memo = assembler.memo;
        this.limits = limits;
        this.text = new TextOperands(in, limits);
        this.lane = new EventLane(in, assembler);
    }

    /** Runs to the end of the program; errors that know no byte yet are told the one of their operation. */
    void run() throws IOException {
        try {
            while (next()) {
                execute(in.unsignedByte());
            }
        } catch (ReadException e) {
            throw e.offset() >= 0 ? e : new ReadException(e.code(), offset, e.getMessage() + ", at byte " + offset);
        }
    }

    /** Comes to the next operation, unless that is the end. */
    private boolean next() throws IOException {
        if (in.at >= in.low) {
            in.slide();
        }
        offset = in.offset();
        return in.bytes[in.at] != '.';
    }

    /** The protocol that the file declares, 0 where it does not. */
    int protocol() {
        return protocol;
    }

    private void execute(int operation) throws IOException {
        switch (operation) {
            case 'h', 'j' -> getAll(operation);
            case 0x94 -> memoize();
            case 'K' -> stack.push(INT, in.unsignedByte());
            case 'M' -> stack.push(INT, in.unsignedShort());
            case 'J' -> stack.push(INT, in.int32());
            case 0x8a -> pushLong(in.unsignedByte());
            case '(' -> stack.mark();
            case '}' -> openDict();
            case ']' -> stack.pushOpen(LIST);
            case 'u' -> assembler.setItems(stack.popMark());
            case 'e' -> assembler.appends(stack.popMark());
            case 's' -> assembler.setItem();
            case 'a' -> assembler.append();
            case 0x8c, 'U' -> pushString(in.unsignedByte());
            case 'X', 'T' -> pushString(in.int32() & 0xffff_ffffL);
            case 0x8d -> pushString(in.int64());
            case 'N' -> stack.push(NULL, 0);
            case 0x88 -> stack.push(BOOL, 1);
            case 0x89 -> stack.push(BOOL, 0);
            case 'G' -> stack.push(FLOAT, Long.reverseBytes(in.int64()));
            case 'q' -> put(in.unsignedByte());
            case 'r' -> put(in.int32());
            case 0x85 -> assembler.tuple(1);
            case 0x86 -> assembler.tuple(2);
            case 0x87 -> assembler.tuple(3);
            case 't' -> assembler.tuple(stack.depth - stack.popMark());
            case ')' -> stack.push(OTHER, 0);
            case 0x80 -> declareProtocol(in.unsignedByte());
            case 0x95 -> in.at += Long.BYTES; // a frame's length only helps readers that fetch by frame
            case 'd' -> openWithContents(DICT);
            case 'l' -> openWithContents(LIST);
            case '0' -> stack.pop();
            case '1' -> stack.depth = stack.popMark();
            case '2' -> duplicate();
            case 'I' -> pushTextInt();
            case 'L' -> stack.push(INT, text.integer());
            case 'F' -> stack.push(FLOAT, Double.doubleToRawLongBits(text.decimal()));
            case 'V' -> pushText(text.rawUnicode());
            case 'S' -> pushText(text.quoted());
            case 'p' -> put((int) Math.min(text.integer(), Integer.MAX_VALUE));
            case 'g' -> get((int) Math.min(text.integer(), Integer.MAX_VALUE));
            case 'C' -> skipBytes(in.unsignedByte());
            case 'B' -> skipBytes(in.int32() & 0xffff_ffffL);
            case 0x8e, 0x96 -> skipBytes(in.int64());
            case 0x8b -> pushLong(in.int32());
            default -> throw Forbidden.refuse(operation, in, stack, assembler.columns.strings);
        }
    }

    private void declareProtocol(int declared) throws ReadException {
        if (declared > 5) {
            throw damaged("pickle protocol " + declared + ", expected 0 to 5");
        }
        protocol = declared;
    }

    private void pushLong(int length) throws IOException {
        boolean isUnsigned64 = length == 9 && in.bytes[in.at + 8] == 0;
        if (length < 0 || (length > 8 && !isUnsigned64)) {
            throw new ReadException(Code.LIMIT, -1, "an integer of " + length + " bytes, expected at most 8");
        }
        stack.push(INT, in.signed(Math.min(length, 8)));
        in.at += isUnsigned64 ? 1 : 0;
    }

    private void pushString(long length) throws IOException {
        if (in.holds(length) && length >= 0) {
            stack.push(STRING, assembler.columns.strings.intern(in.bytes, in.at, (int) length));
            in.at += (int) length;
        } else {
            checkString(length);
            byte[] taken = in.take((int) length);
            stack.push(STRING, assembler.columns.strings.intern(taken, 0, taken.length));
        }
        limits.checkStrings(assembler.columns.strings);
    }

    private void pushText(String string) throws ReadException {
        stack.push(STRING, assembler.columns.strings.intern(string));
        limits.checkStrings(assembler.columns.strings);
    }

    private void checkString(long length) throws ReadException {
        if (length < 0 || length > limits.stringBytes()) {
            throw new ReadException(
                    Code.LIMIT,
                    -1,
                    "a string of " + Long.toUnsignedString(length) + " bytes, more than the limit of "
                            + limits.stringBytes());
        }
    }

    private void skipBytes(long length) throws IOException {
        checkString(length);
        in.skip(length);
        stack.push(OTHER, 0);
    }

    private void pushTextInt() throws IOException {
        String line = text.line();
        switch (line) {
            case "00" -> stack.push(BOOL, 0);
            case "01" -> stack.push(BOOL, 1);
            default -> stack.push(INT, text.parse(line));
        }
    }

    private void openDict() throws ReadException {
        if (!lane.read()) {
            stack.pushOpen(DICT);
        }
    }

    private void openWithContents(byte kind) throws ReadException {
        int mark = stack.popMark();
        int contents = stack.depth - mark;
        stack.pushOpen(kind);
        if (contents > 0) {
            stack.rotate(mark);
            if (kind == DICT) {
                assembler.setItems(mark + 1);
            } else {
                assembler.appends(mark + 1);
            }
        }
    }

    private void duplicate() throws ReadException {
        int top = stack.require(1);
        stack.push(stack.kinds[top], stack.values[top], stack.memos[top]);
    }

    /** References come in runs, one for each frame of a stack: no other operation need be looked up between them. */
    private void getAll(int first) throws ReadException {
        get(first == 'h' ? in.unsignedByte() : in.int32());
        while (in.at < in.low) {
            int next = in.bytes[in.at];
            if (next == 'j') {
                in.at++;
                get(in.int32());
            } else if (next == 'h') {
                in.at++;
                get(in.unsignedByte());
            } else {
                return;
            }
        }
    }

    private void get(int index) throws ReadException {
        int entry = index < 0 ? Memo.UNSET : memo.get(index);
        if (entry == Memo.UNSET) {
            throw damaged("a reference to memo entry " + Integer.toUnsignedString(index) + ", which does not exist");
        }
        stack.push(Memo.kind(entry), Memo.number(entry), index);
    }

    private void memoize() throws ReadException {
        int top = stack.require(1);
        stack.memos[top] = memo.add(stack.kinds[top], stack.values[top]);
    }

    /** Every number takes at least two bytes to say, so no honest one is beyond the bytes read so far. */
    private void put(int index) throws ReadException {
        if (index < 0 || index > in.offset()) {
            throw new ReadException(
                    Code.LIMIT, -1, "memo entry " + Integer.toUnsignedString(index) + " is out of order");
        }
        int top = stack.require(1);
        memo.put(index, stack.kinds[top], stack.values[top]);
        stack.memos[top] = index;
    }

    private static ReadException damaged(String what) {
        return new ReadException(Code.DAMAGED, -1, what);
    }
}
