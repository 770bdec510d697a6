package dev.leakline.watch;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Posts bodies to one address, in order, from a thread of its own: whoever hands them over never waits. What cannot be delivered is tried again,
 * later and later; where more waits than there is room for, the oldest goes.
 */
public final class HttpSender implements AutoCloseable {
    /** A time for the whole answer: a server that takes longer is as good as down. */
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    /** The time for deliveries after this program was told to end. */
    private static final Duration LAST = Duration.ofSeconds(3);

    private static final int OK = 200;
    private static final int REDIRECTED = 300;
    /** The beginning of a failure that another try would not change. */
    private static final String REFUSED = "it answered ";

    private static final int SERVER_ERROR = 500;
    /** Client errors that pass: request timeout, too early, too many requests. */
    private static final Set<Integer> PASSING = Set.of(408, 425, 429);

    /**
     * How often is tried again.
     *
     * @param first the time until the second try; each next one is twice as long
     * @param longest the most between two tries
     * @param most tries of one body
     */
    public record Retries(Duration first, Duration longest, int most) {
        /** For an hour and a half, which is how long a night's restart of a receiver may take. */
        public static final Retries PATIENT = new Retries(Duration.ofSeconds(1), Duration.ofMinutes(2), 50);
    }

    private final HttpClient client = HttpClient.newBuilder()
            .connectTimeout(TIMEOUT)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();
    private final URI address;
    /** The address as it may be shown: no password, and no path, which is a secret with some receivers. */
    private final String shown;
    /** The user and password of the address, as they are sent; null where it has none. */
    private final @Nullable String authorization;

    private final Function<byte[], HttpRequest.Builder> request;
    private final Retries retries;
    private final int room;
    private final Consumer<String> trouble;
    private final Deque<byte[]> waiting = new ArrayDeque<>();
    private final Thread thread;
    private boolean isClosed;
    private boolean isTold;
    private long lost;

    /**
     * A sender.
     *
     * @param room how many bodies may wait
     * @param request makes a request of a body, anew for each try
     * @param trouble is told in words what goes wrong, once until something is delivered again
     */
    public HttpSender(
            URI address,
            int room,
            Retries retries,
            Function<byte[], HttpRequest.Builder> request,
            Consumer<String> trouble) {
        String user = address.getUserInfo();
        String port = address.getPort() < 0 ? "" : ":" + address.getPort();
        this.shown = address.getScheme() + "://" + address.getHost() + port;
        this.address = user == null ? address : URI.create(shown + afterAuthority(address));
        this.authorization = user == null
                ? null
                : "Basic " + Base64.getEncoder().encodeToString(user.getBytes(StandardCharsets.UTF_8));
        this.room = room;
        this.retries = retries;
        this.request = request;
        this.trouble = trouble;
        this.thread = Thread.ofPlatform().daemon().name("leakline-post").start(this::deliver);
    }

    private static String afterAuthority(URI address) {
        String query = address.getRawQuery() == null ? "" : "?" + address.getRawQuery();
        return address.getRawPath() + query;
    }

    /** An address that can be posted to; throws {@link IllegalArgumentException} for others. */
    public static URI address(String option, String text) {
        try {
            URI address = URI.create(text);
            if (Set.of("http", "https").contains(String.valueOf(address.getScheme())) && address.getHost() != null) {
                return address;
            }
        } catch (IllegalArgumentException e) {
            // What is no address is told as what is one of something else.
        }
        throw new IllegalArgumentException(option + ": expected an address such as https://host/path");
    }

    /** Hands over a body to be posted. */
    public synchronized void send(byte[] body) {
        if (waiting.size() == room) {
            waiting.removeFirst();
            lost++;
        }
        waiting.addLast(body);
        notifyAll();
    }

    /** Bodies that were given up, or made room for others. */
    public synchronized long lost() {
        return lost;
    }

    private void deliver() {
        try {
            for (byte[] body = take(); body != null; body = take()) {
                try {
                    deliver(body);
                } catch (RuntimeException e) {
                    tell(e.getClass().getSimpleName(), true); // its message may quote what is secret
                    giveUp();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized byte @Nullable [] take() throws InterruptedException {
        while (waiting.isEmpty() && !isClosed) {
            wait();
        }
        return waiting.pollFirst();
    }

    private void deliver(byte[] body) throws InterruptedException {
        Duration pause = retries.first;
        for (int tries = 1; ; tries++) {
            String failure = post(body);
            if (failure == null) {
                isTold = false;
                return;
            }
            boolean isFinal = failure.startsWith(REFUSED) || tries >= retries.most;
            tell(failure, isFinal);
            if (isFinal || !pause(pause)) {
                giveUp();
                return;
            }
            pause = pause.multipliedBy(2).compareTo(retries.longest) < 0 ? pause.multipliedBy(2) : retries.longest;
        }
    }

    /** Why a body was not delivered; null if it was. */
    private @Nullable String post(byte[] body) throws InterruptedException {
        HttpRequest.Builder builder = request.apply(body);
        HttpRequest post = (authorization == null ? builder : builder.header("Authorization", authorization))
                .uri(address)
                .timeout(TIMEOUT)
                .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                .build();
        CompletableFuture<HttpResponse<Void>> answer = client.sendAsync(post, HttpResponse.BodyHandlers.discarding());
        try {
            int status = answer.get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS).statusCode();
            boolean isPassing = status >= SERVER_ERROR || PASSING.contains(status);
            return status >= OK && status < REDIRECTED ? null : (isPassing ? "it is not ready: " : REFUSED) + status;
        } catch (TimeoutException e) {
            answer.cancel(true);
            return "it did not answer within " + TIMEOUT.toSeconds() + " s";
        } catch (java.util.concurrent.ExecutionException | CompletionException e) {
            Throwable cause = e.getCause() instanceof IOException io ? io : e;
            return cause.getMessage() == null ? "no connection" : cause.getMessage();
        }
    }

    private void tell(String failure, boolean isFinal) {
        if (!isTold || isFinal) {
            isTold = true;
            trouble.accept(shown + ": " + failure + (isFinal ? "; given up" : "; it is tried again"));
        }
    }

    private synchronized void giveUp() {
        lost++;
    }

    /** Waits; whether there is still time to try again. */
    private synchronized boolean pause(Duration length) throws InterruptedException {
        long end = System.nanoTime() + length.toNanos();
        for (long left = length.toNanos(); left > 0 && !isClosed; left = end - System.nanoTime()) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        return !isClosed;
    }

    /** Delivers what waits, where that takes no longer than a moment. */
    @Override
    public void close() {
        synchronized (this) {
            isClosed = true;
            notifyAll();
        }
        try {
            thread.join(LAST);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        client.shutdownNow();
        synchronized (this) {
            lost += waiting.size() + (thread.isAlive() ? 1 : 0);
            if (lost > 0) {
                trouble.accept(shown + ": " + lost + " of what it was to get was not delivered");
            }
        }
    }
}
