package dev.leakline.watch;

import dev.leakline.codec.Codec;
import dev.leakline.result.WatchEvent;
import dev.leakline.result.WatchEvent.State;
import java.io.Closeable;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.util.HexFormat;
import java.util.function.Consumer;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Posts the event of each alert that begins, learns its cause, or is resolved, as JSON. With a secret, {@code Leakline-Signature} is {@code
 * sha256=} and, in hexadecimal, the HMAC-SHA256 of the seconds in {@code Leakline-Timestamp}, a full stop, and the body: a receiver that checks both
 * knows who sent it, and that it is not an old one sent again. {@code Leakline-Delivery} is the same at each try.
 */
public final class Webhook implements WatchListener, Closeable {
    /** Alerts are seldom; whoever has more processes that leak at once has read of it by then. */
    private static final int ROOM = 256;

    private static final String ALGORITHM = "HmacSHA256";
    private static final long MILLIS = 1000;
    private static final int ID_BYTES = 8;

    private final HttpSender sender;

    /** A webhook; without a secret nothing is signed. */
    public Webhook(URI address, @Nullable String secret, HttpSender.Retries retries, Consumer<String> trouble) {
        this(address, secret, retries, trouble, Clock.systemUTC());
    }

    Webhook(URI address, @Nullable String secret, HttpSender.Retries retries, Consumer<String> trouble, Clock clock) {
        sender = new HttpSender(address, ROOM, retries, body -> request(body, secret, clock.millis()), trouble);
    }

    private static HttpRequest.Builder request(byte[] body, @Nullable String secret, long now) {
        String seconds = String.valueOf(now / MILLIS);
        HttpRequest.Builder request = HttpRequest.newBuilder()
                .header("Content-Type", "application/json")
                .header("Leakline-Delivery", delivery(body))
                .header("Leakline-Timestamp", seconds);
        return secret == null
                ? request
                : request.header("Leakline-Signature", "sha256=" + signature(secret, seconds, body));
    }

    /** The same event has the same. */
    private static String delivery(byte[] body) {
        return signature("delivery", "", body).substring(0, 2 * ID_BYTES);
    }

    static String signature(String secret, String seconds, byte[] body) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), ALGORITHM));
            mac.update((seconds + ".").getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(mac.doFinal(body));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has " + ALGORITHM, e);
        }
    }

    @Override
    public void changed(WatchedProcess process, WatchEvent event) {
        if (event.state() == State.FIRING || event.state() == State.RESOLVED) {
            sender.send(Codec.line(event).getBytes(StandardCharsets.UTF_8));
        }
    }

    @Override
    public void close() {
        sender.close();
    }
}
