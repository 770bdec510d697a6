package dev.leakline.testkit.fault;

/** A pickle that no writer makes: a claim that the file cannot keep, or opcodes that do not fit together. */
public enum Malformation {
    /** A string of 200 GB. */
    BINUNICODE8_200_GB(Raw.segments("\215" + Claims.HUGE)),
    /** A string of 4 GiB less a byte. */
    BINUNICODE_4_GIB(Raw.segments("X\377\377\377\377")),
    /** Bytes, 200 GB. */
    BINBYTES8_200_GB(Raw.segments("\216" + Claims.HUGE)),
    /** A byte array of 200 GB. */
    BYTEARRAY8_200_GB(Raw.segments("\226" + Claims.HUGE)),
    /** A length with its highest bit set: negative for who reads it as signed. */
    BINUNICODE8_NEGATIVE(Raw.segments("\215\377\377\377\377\377\377\377\377")),
    /** An int of 2 GiB less a byte. */
    LONG4_2_GIB(Raw.segments("\213\377\377\377\177")),
    /** An int of minus one byte. */
    LONG4_NEGATIVE(Raw.segments("\213\377\377\377\377")),
    /** A frame of 200 GB. */
    FRAME_200_GB("\200\004\225" + Claims.HUGE + "]."),
    /** An entry of the memo at index 4,000,000,000. */
    MEMO_INDEX_4_BILLION(Raw.segments("]r" + Raw.little(4_000_000_000L, 4))),
    /** The same in protocol 0, beyond 64 bits. */
    MEMO_INDEX_BEYOND_LONG(Raw.segments("]p99999999999999999999\n")),
    /** A reference to an entry of the memo that was never stored. */
    MEMO_NEVER_STORED(Raw.segments("h\007")),
    /** A list that holds itself. */
    SELF_REFERENCE(Raw.segments("]q\000h\000a")),
    /** A dict that holds itself, where a segment is due. */
    SELF_REFERENCE_IN_DICT(Raw.segments("]}q\000" + Raw.text("blocks") + "h\000sa")),
    /** A key without a value. */
    SETITEMS_ODD(Raw.segments("}(" + Raw.text("device") + "u")),
    /** Keys and values for what is no dict. */
    SETITEMS_ON_LIST(Raw.segments("](" + Raw.text("device") + "K\001u")),
    /** A list as a key. */
    KEY_UNHASHABLE(Raw.segments("}]K\001s")),
    /** A batch without its beginning. */
    APPENDS_WITHOUT_MARK("\200\002]]e."),
    /** A batch for what is no list. */
    APPENDS_ON_INT(Raw.segments("K\001(K\002e")),
    /** A pop where nothing is. */
    POP_FROM_EMPTY_STACK("\200\0020]."),
    /** An end with nothing to return. */
    STOP_ON_EMPTY_STACK("\200\002."),
    /** A put where nothing is. */
    MEMOIZE_ON_EMPTY_STACK("\200\004\224."),
    /** A tuple of more than there is. */
    TUPLE3_OF_ONE("\200\002K\001\207."),
    /** A pickle of a protocol that does not exist. */
    PROTOCOL_99("\200\143]."),
    /** A byte that is no opcode. */
    OPCODE_UNKNOWN(Raw.segments("\377")),
    /** Letters for a number, in protocol 0. */
    INT_OF_LETTERS("(lp0\nIseven\na."),
    /** A line that does not end, in protocol 0. */
    LINE_WITHOUT_END("(lp0\nVtrain"),
    /** Bytes that are not UTF-8. */
    TEXT_NOT_UTF8(Raw.segments("X\002\000\000\000\303\050"));

    private final String opcodes;

    Malformation(String opcodes) {
        this.opcodes = opcodes;
    }

    /** The pickle. */
    public byte[] file() {
        return Raw.bytes(opcodes);
    }

    /** Lengths that no file keeps. */
    private static final class Claims {
        static final String HUGE = Raw.little(200_000_000_000L, 8);
    }
}
