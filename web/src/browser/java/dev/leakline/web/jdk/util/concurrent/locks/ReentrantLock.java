package dev.leakline.web.jdk.util.concurrent.locks;

/** {@code java.util.concurrent.locks.ReentrantLock} where there is one thread. */
public final class ReentrantLock {
    public ReentrantLock() {}

    public ReentrantLock(boolean isFair) {}

    public void lock() {}

    public void unlock() {}

    public boolean tryLock() {
        return true;
    }
}
