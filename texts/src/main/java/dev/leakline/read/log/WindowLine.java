package dev.leakline.read.log;

import dev.leakline.source.lines.LogPiece;

/** A line of a window, and where in it the words that begin a message were found first, or -1. */
record WindowLine(LogPiece piece, int head) {}
