package dev.leakline.testkit.pickle;

/** Pickle opcodes by the names that Python's {@code pickletools} gives them. */
final class Op {
    static final int MARK = '(';
    static final int STOP = '.';
    static final int PROTO = 0x80;
    static final int FRAME = 0x95;

    static final int NONE = 'N';
    static final int NEWTRUE = 0x88;
    static final int NEWFALSE = 0x89;
    static final int INT = 'I';
    static final int LONG = 'L';
    static final int BININT = 'J';
    static final int BININT1 = 'K';
    static final int BININT2 = 'M';
    static final int LONG1 = 0x8a;
    static final int FLOAT = 'F';
    static final int BINFLOAT = 'G';
    static final int UNICODE = 'V';
    static final int BINUNICODE = 'X';
    static final int SHORT_BINUNICODE = 0x8c;

    static final int LIST = 'l';
    static final int EMPTY_LIST = ']';
    static final int APPEND = 'a';
    static final int APPENDS = 'e';
    static final int DICT = 'd';
    static final int EMPTY_DICT = '}';
    static final int SETITEM = 's';
    static final int SETITEMS = 'u';
    static final int TUPLE = 't';
    static final int EMPTY_TUPLE = ')';
    static final int TUPLE1 = 0x85;

    static final int PUT = 'p';
    static final int BINPUT = 'q';
    static final int LONG_BINPUT = 'r';
    static final int MEMOIZE = 0x94;
    static final int GET = 'g';
    static final int BINGET = 'h';
    static final int LONG_BINGET = 'j';

    private Op() {}
}
