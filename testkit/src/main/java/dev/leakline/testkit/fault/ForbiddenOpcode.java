package dev.leakline.testkit.fault;

/**
 * An opcode that makes Python import or call something. Each file is a snapshot where the opcode stands in place of the
 * segments, with {@code os.system} for its operand, and no other forbidden opcode before it.
 */
public enum ForbiddenOpcode {
    GLOBAL("", "cos\nsystem\n"),
    STACK_GLOBAL(Raw.text("os") + Raw.text("system"), "\223"),
    REDUCE(Raw.text("os.system") + "(" + Raw.text("true") + "t", "R"),
    BUILD("}" + Raw.text("os.system"), "b"),
    INST("(" + Raw.text("true"), "ios\nsystem\n"),
    OBJ("(" + Raw.text("os.system") + Raw.text("true"), "o"),
    NEWOBJ(Raw.text("os.system") + ")", "\201"),
    NEWOBJ_EX(Raw.text("os.system") + ")}", "\222"),
    PERSID("", "Pos.system\n"),
    BINPERSID(Raw.text("os.system"), "Q"),
    EXT1("", "\202\001"),
    EXT2("", "\203\001\001"),
    EXT4("", "\204\001\001\001\001");

    private final String operands;
    private final String opcode;

    ForbiddenOpcode(String operands, String opcode) {
        this.operands = operands;
        this.opcode = opcode;
    }

    /** The pickle. */
    public byte[] file() {
        return Raw.bytes(Raw.segments(operands + opcode));
    }

    /** Where in {@link #file} the opcode stands. */
    public int offset() {
        return Raw.BEFORE_SEGMENTS.length() + operands.length();
    }
}
