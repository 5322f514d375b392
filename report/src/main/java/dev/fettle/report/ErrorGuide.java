package dev.fettle.report;

/** What an error of the load means: in which phase of a request it happened, and what to do about it. */
enum ErrorGuide {
    REFUSED("connect", "nobody listened on the port: is the server up, and is it this port?"),
    CONNECT_TIMEOUT(
            "connect",
            "SYNs got no answer: the accept queue is full (raise the backlog and net.core.somaxconn), or a firewall drops"
                    + " them"),
    TLS("TLS", "for a certificate of your own: --cacert FILE trusts it, --insecure takes any"),
    RESET("transfer", "the server gave up the connection: look at its log, its connection limit, its time-outs"),
    CLOSED_EARLY("transfer", "the server closed before its answer was complete: look at its log and its time-outs"),
    READ_TIMEOUT("wait", "no complete answer within --timeout: the server is overloaded or hangs; try a lower load"),
    MALFORMED(
            "parse",
            "that is not the protocol as it should be: is it the right port and scheme (https, wss, --http2)?"),
    STATUS("check", "another status than is wanted: is the path right, does it need a login (-H)?"),
    LENGTH("check", "the body has another length than wanted"),
    BODY("check", "the body is not what --contains or --expect-echo wants: it may be an error page with a good status"),
    CHECK("check", "an answer did not pass a check of the scenario"),
    OTHER(
            "generator",
            "this machine was in the way: file descriptors (ulimit -n) or local ports (--source 127.0.0.2,127.0.0.3)");

    private final String phase;
    private final String advice;

    ErrorGuide(String phase, String advice) {
        this.phase = phase;
        this.advice = advice;
    }

    /** The entry of a kind; that of {@link #OTHER} for a kind that is not known here. */
    static ErrorGuide of(String kind) {
        for (ErrorGuide g : values()) {
            if (g.name().equals(kind)) {
                return g;
            }
        }
        return OTHER;
    }

    /** One word: connect, TLS, wait, transfer, parse, check or generator. */
    String phase() {
        return phase;
    }

    /** One line. */
    String advice() {
        return advice;
    }
}
