package dev.leakline.cli.serve;

import com.sun.net.httpserver.Headers;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides who is answered: a browser of this machine that was given the address with its token, and no page of anybody else. Another site can
 * make a browser ask, also under its own name (DNS rebinding), so the name that was asked for and the page that asks have to be this server's.
 *
 * @param token the first part of each path
 * @param port the port that names of this server end with
 */
record Admission(String token, int port) {
    static final int PASSED = 0;
    private static final int FORBIDDEN = 403;
    private static final int MISDIRECTED = 421;
    private static final List<String> NAMES = List.of("127.0.0.1", "localhost");
    private static final List<String> OWN_SITE = List.of("same-origin", "none");

    /** The status of the refusal of a request, or {@link #PASSED}. */
    int refusal(Headers headers, String path) {
        if (!isOwn(headers.getFirst("Host"))) {
            return MISDIRECTED;
        }
        String origin = headers.getFirst("Origin");
        String site = headers.getFirst("Sec-Fetch-Site");
        boolean isOthers = origin != null && !(origin.startsWith("http://") && isOwn(origin.substring(7)));
        boolean isAsked = site == null || OWN_SITE.contains(site);
        return isOthers || !isAsked || !hasToken(path) ? FORBIDDEN : PASSED;
    }

    private boolean isOwn(@Nullable String host) {
        return NAMES.stream().anyMatch(name -> (name + ":" + port).equals(host));
    }

    /** Compared in the same time whatever is wrong with it. */
    private boolean hasToken(String path) {
        int end = path.indexOf('/', 1);
        return end > 0
                && MessageDigest.isEqual(
                        path.substring(1, end).getBytes(StandardCharsets.UTF_8),
                        token.getBytes(StandardCharsets.UTF_8));
    }
}
