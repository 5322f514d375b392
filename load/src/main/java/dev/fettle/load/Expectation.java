package dev.fettle.load;

import dev.fettle.load.api.Ranges;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/**
 * What makes a response valid.
 *
 * <p>Status and length are checked on every response. {@code bodyContains} is checked on the first response of each
 * connection and then on one in every 1000 on that connection. With {@code keepAlive} off each response is the first of
 * its connection, so every one is checked. An {@code echo} is checked on every response.
 *
 * @param statuses the accepted statuses, each 200 to 599; empty means any from 200 to 299. Messages have none
 * @param bodyLength the body's length in bytes, without chunk framing; for a HEAD request the announced {@code
 *     Content-Length}; empty means any
 * @param bodyContains text that the body must contain, compared as UTF-8 bytes, not empty. With {@code bodyLength}
 *     equal to the text's own length it checks the whole body
 * @param echo whether the body must equal the message it answers; only over a WebSocket, and with neither {@code
 *     bodyLength} nor {@code bodyContains}
 */
public record Expectation(Set<Integer> statuses, OptionalLong bodyLength, Optional<String> bodyContains, boolean echo) {

    /** Any 2xx status, any body. */
    public static final Expectation SUCCESS = new Expectation(Set.of(), OptionalLong.empty(), Optional.empty());

    /** The body is checked on one in this many responses of a connection. */
    public static final int BODY_CHECK_EVERY = 1000;

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if a component is out of the range given above
     */
    public Expectation {
        for (int status : statuses) {
            Ranges.range("expected status", status, 200, 599);
        }
        if (bodyLength.isPresent() && bodyLength.getAsLong() < 0) {
            throw new IllegalArgumentException(
                    "expected body length must not be negative, was " + bodyLength.getAsLong());
        }
        if (bodyContains.isPresent() && bodyContains.get().isEmpty()) {
            throw new IllegalArgumentException("text to find in the body must not be empty");
        }
        if (echo && (bodyLength.isPresent() || bodyContains.isPresent())) {
            throw new IllegalArgumentException("an echo is the whole answer: no length and no text goes with it");
        }
        statuses = Set.copyOf(statuses);
    }

    /** An expectation without an echo. */
    public Expectation(Set<Integer> statuses, OptionalLong bodyLength, Optional<String> bodyContains) {
        this(statuses, bodyLength, bodyContains, false);
    }

    /** The answer must be the message as it was sent. */
    public static final Expectation ECHO = new Expectation(Set.of(), OptionalLong.empty(), Optional.empty(), true);

    /** Exactly this status. */
    public static Expectation status(int status) {
        return new Expectation(Set.of(status), OptionalLong.empty(), Optional.empty());
    }

    /** A copy that also expects a body of this many bytes. */
    public Expectation withBodyLength(long bytes) {
        return new Expectation(statuses, OptionalLong.of(bytes), bodyContains, echo);
    }

    /** A copy that also expects this text in the body. */
    public Expectation withBodyContaining(String text) {
        return new Expectation(statuses, bodyLength, Optional.of(text), echo);
    }

    /** For each status up to 599, whether it is accepted. */
    public boolean[] wanted() {
        boolean[] wanted = new boolean[600];
        for (int status = 200; status < wanted.length; status++) {
            wanted[status] = statuses.isEmpty() ? status < 300 : statuses.contains(status);
        }
        return wanted;
    }

    /** The statuses in words: {@code 2xx}, or {@code 200, 304}. */
    public String describeStatuses() {
        if (statuses.isEmpty()) {
            return "2xx";
        }
        String sorted = new TreeSet<>(statuses).toString();
        return sorted.substring(1, sorted.length() - 1);
    }
}
