package dev.leakline.read;

import dev.leakline.columns.ObjectGraph;

/** A holder dump as read. */
public record HoldersFile(ObjectGraph graph) implements InputContent {}
