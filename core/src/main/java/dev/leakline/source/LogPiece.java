package dev.leakline.source;

import java.util.Arrays;

/** A copy of a piece of a line, for whoever looks back; it is filled again and again. */
public final class LogPiece {
    private char[] text = {};
    private int[] jumps = {};
    private long[] origins = {};
    private int length;
    private int jumpCount;
    private int bytesPerCharacter;
    private long number;
    private boolean isStart;
    private Speaker speaker = Speaker.NOBODY;
    private long form = LineForms.NONE;

    /** Takes a copy of what {@code lines} stand at, of who speaks there, and of the form of what is said. */
    public void copy(LogLines lines, Speaker mark, long formOfIt) {
        length = lines.length();
        text = text.length < length ? new char[Math.max(length, 2 * text.length)] : text;
        System.arraycopy(lines.text(), 0, text, 0, length);
        jumpCount = lines.jumps();
        if (jumps.length < jumpCount) {
            jumps = new int[2 * jumpCount];
            origins = new long[2 * jumpCount];
        }
        lines.copyJumps(jumps, origins);
        bytesPerCharacter = lines.isUtf16() ? 2 : 1;
        number = lines.number();
        isStart = lines.isStart();
        speaker = mark;
        form = formOfIt;
    }

    /** The byte of the input that a character of the piece was. */
    public long offset(int index) {
        int found = Arrays.binarySearch(jumps, 0, jumpCount, index);
        int jump = found < 0 ? -found - 2 : found;
        return (origins[jump] + index - jumps[jump]) * bytesPerCharacter;
    }

    /** The characters; those from {@link #length} on mean nothing. */
    public char[] text() {
        return text;
    }

    /** How many characters there are. */
    public int length() {
        return length;
    }

    /** The number of the line, from 1. */
    public long number() {
        return number;
    }

    /** Whether the piece begins a line. */
    public boolean isStart() {
        return isStart;
    }

    /** Who speaks, where the line says so. */
    public Speaker speaker() {
        return speaker;
    }

    /** The form of what is said ({@link LineForms}). */
    public long form() {
        return form;
    }
}
