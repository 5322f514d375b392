package dev.fettle.target;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** The common names of what can be adjusted, and the values that make sense on any server. */
enum Knob {
    /** Worker threads at most; on Jetty the pool's own maxThreads, which acceptors and selectors are taken from. */
    THREADS_MAX("threads.max", 1, false),
    THREADS_MIN("threads.min", 0, false),
    THREADS_ACCEPTORS("threads.acceptors", 0, false),
    THREADS_SELECTORS("threads.selectors", 1, false),
    THREADS_RESERVED("threads.reserved", 0, false),
    THREADS_VIRTUAL("threads.virtual"),
    BACKLOG("backlog", 1, false),
    /** Open connections at most; -1 is no limit. */
    CONNECTIONS_MAX("connections.max", 1, true),
    /** Milliseconds an idle keep-alive connection is kept; -1 is for ever. */
    KEEPALIVE_TIMEOUT("keepalive.timeout", 1, true),
    /** Requests on one connection before the server closes it; -1 is no limit. */
    KEEPALIVE_REQUESTS("keepalive.requests", 1, true),
    QUEUE_MAX("queue.max", 1, false),
    /** Requests let through to the application at a time. */
    ADMISSION_MAX("admission.max", 1, false),
    /** Requests that wait for admission; beyond it, 503. */
    ADMISSION_QUEUE("admission.queue", 0, false),
    TCP_NODELAY("tcp.nodelay"),
    BUFFERS_DIRECT("buffers.direct");

    private final String commonName;
    private final boolean flag;
    private final int least;
    private final boolean minusOne;

    Knob(String commonName) {
        this.commonName = commonName;
        this.flag = true;
        this.least = 0;
        this.minusOne = false;
    }

    Knob(String commonName, int least, boolean minusOne) {
        this.commonName = commonName;
        this.flag = false;
        this.least = least;
        this.minusOne = minusOne;
    }

    String commonName() {
        return commonName;
    }

    boolean isFlag() {
        return flag;
    }

    static Optional<Knob> named(String name) {
        return Arrays.stream(values()).filter(k -> k.commonName.equals(name)).findFirst();
    }

    static String names() {
        return Arrays.stream(values()).map(Knob::commonName).collect(Collectors.joining(", "));
    }

    /** The value as a {@link Boolean} or an {@link Integer}; a {@link LaunchFailure} if it makes no sense. */
    Object parse(String text) throws LaunchFailure {
        if (flag) {
            return switch (text) {
                case "true" -> true;
                case "false" -> false;
                default -> throw LaunchFailure.badArgument(commonName + "=" + text + ": true or false is wanted");
            };
        }
        int value;
        try {
            value = Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw LaunchFailure.badArgument(commonName + "=" + text + ": a whole number is wanted");
        }
        if (value < least && !(minusOne && value == -1)) {
            throw LaunchFailure.badArgument(commonName + "=" + text + ": at least " + least
                    + (minusOne ? ", or -1 for no limit," : "") + " is wanted");
        }
        return value;
    }
}
