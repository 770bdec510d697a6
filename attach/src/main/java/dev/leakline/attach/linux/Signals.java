package dev.leakline.attach.linux;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Handles this program's signals: passes them to a job that it started, and lives on to report about it, or ends its work early.
 *
 * <p>Java has no public interface for signals; the one that every JDK has is in a module for such cases, and is reached by reflection
 * because the compiler warns of it otherwise. A signal that the JVM keeps for itself is not passed.
 *
 * <p>Ctrl-C in a terminal reaches all processes in its foreground, so the job has it already; a second one would break off what it does
 * about the first.
 */
public final class Signals {
    private static final List<String> NAMES = List.of("INT", "TERM", "HUP", "QUIT", "USR1", "USR2", "WINCH", "CONT");
    /** Signals that a terminal sends to all processes in its foreground. */
    private static final List<String> OF_TERMINAL = List.of("INT", "QUIT", "WINCH");
    /** Signals that end only processes that ask for it, so that {@link Canary} does not tell to whom they were sent. */
    private static final List<String> HARMLESS = List.of("WINCH", "CONT");

    /** How a program is asked to end, by Ctrl-C, kill, or a terminal that closes. */
    private static final List<String> ENDS = List.of("INT", "TERM", "HUP");

    private static final int GROUP = 2;
    private static final int FOREGROUND = 5;

    private Signals() {}

    /**
     * From now on, signals go to a job of this program, until what is returned is closed: then they are nobody's. One that was sent to the
     * job as well is not sent again.
     *
     * @param pid the number of the process; waits until there is one, and answers null where there will be none
     */
    public static AutoCloseable passTo(Callable<@Nullable Long> pid) {
        Canary canary = new Canary();
        NAMES.forEach(name -> handle(name, () -> send(name, pid, canary)));
        return () -> {
            NAMES.forEach(name -> handle(name, () -> null));
            canary.close();
        };
    }

    /** From now on, being asked to end does something else, until what is returned is closed. */
    public static End onEnd(Runnable action) {
        Map<String, Object> before = new HashMap<>();
        for (String name : ENDS) {
            Object handler = handle(name, () -> {
                action.run();
                return null;
            });
            if (handler != null) {
                before.put(name, handler);
            }
        }
        return () -> before.forEach(Signals::set);
    }

    /** Gives the signals back to whoever had them before. */
    public interface End extends AutoCloseable {
        @Override
        void close();
    }

    /** Answers the handler that there was before; null where the signal cannot be handled. */
    private static @Nullable Object handle(String name, Callable<@Nullable Object> action) {
        try {
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            // Nothing but handle is called; what would be, gets an answer of the right type or fails.
            InvocationHandler answer = (_, method, _) -> method.getName().equals("handle") ? action.call() : name;
            return set(name, Proxy.newProxyInstance(Signals.class.getClassLoader(), new Class<?>[] {handler}, answer));
        } catch (ClassNotFoundException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }

    private static @Nullable Object set(String name, Object handler) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Object instance = signal.getConstructor(String.class).newInstance(name);
            return signal.getMethod("handle", signal, Class.forName("sun.misc.SignalHandler"))
                    .invoke(null, instance, handler);
        } catch (InvocationTargetException e) {
            // This system does not have the signal, or the JVM keeps it for itself.
            return null;
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }

    private static @Nullable Object send(String name, Callable<@Nullable Long> pid, Canary canary) throws Exception {
        boolean isOfTerminal = OF_TERMINAL.contains(name) && isInForeground();
        if (isOfTerminal || (!HARMLESS.contains(name) && canary.isHit())) {
            return null;
        }
        Long job = pid.call();
        if (job != null) {
            new ProcessBuilder("kill", "-" + name, String.valueOf(job)).start();
        }
        return null;
    }

    /** Returns whether a terminal counts this program among those that it sends signals to. */
    private static boolean isInForeground() {
        try {
            ProcessStat stat =
                    new ProcessStat(ProcFile.text((int) ProcessHandle.current().pid(), "stat"));
            return stat.field(GROUP).equals(stat.field(FOREGROUND));
        } catch (IOException e) {
            return true; // Only Linux tells; people at a terminal are the likeliest.
        }
    }
}
