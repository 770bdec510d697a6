package dev.leakline.web.jdk.util.concurrent;

import java.util.ArrayDeque;

/** {@code java.util.concurrent.ConcurrentLinkedQueue} where there is one thread. */
public final class ConcurrentLinkedQueue<T> extends ArrayDeque<T> {}
