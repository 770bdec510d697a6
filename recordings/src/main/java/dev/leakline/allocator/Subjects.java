package dev.leakline.allocator;

import com.carrotsearch.hppc.IntArrayList;

/**
 * Numbers for the allocations that a program holds. A number belongs to one request; once its allocation is freed, it goes to the next of the same
 * request. So there are hardly more than were ever live at once, and what a replay knows of them fits the processor's caches.
 */
final class Subjects {
    /** None. */
    static final int NONE = -1;

    private final IntArrayList requests = new IntArrayList();
    /** By request: the first subject that is free. */
    private final IntArrayList firstFree = new IntArrayList();
    /** By subject: the next one of its request that is free. */
    private final IntArrayList nextFree = new IntArrayList();

    /** A subject of a request that nobody has. */
    int take(int request) {
        while (firstFree.size() <= request) {
            firstFree.add(NONE);
        }
        int subject = firstFree.get(request);
        if (subject == NONE) {
            requests.add(request);
            nextFree.add(NONE);
            return requests.size() - 1;
        }
        firstFree.set(request, nextFree.get(subject));
        return subject;
    }

    /** Makes a subject free. */
    void release(int subject) {
        int request = request(subject);
        nextFree.set(subject, firstFree.get(request));
        firstFree.set(request, subject);
    }

    /** Its request, a number of the {@link Requests}. */
    int request(int subject) {
        return requests.get(subject);
    }

    /** Numbers are below it. */
    int size() {
        return requests.size();
    }
}
