package dev.leakline.web.jdk.util.concurrent;

import java.util.ArrayDeque;

/** {@code java.util.concurrent.ConcurrentLinkedDeque} where there is one thread. */
public final class ConcurrentLinkedDeque<T> extends ArrayDeque<T> {}
