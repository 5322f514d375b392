package dev.fettle.report;

import dev.fettle.model.ErrorKind;

/**
 * What an error of the load means.
 *
 * @param phase of the request in which it happened, one word: connect, TLS, wait, transfer, parse, check, generator or unknown
 * @param advice what to do about it, one line
 */
record ErrorGuide(String phase, String advice) {
    /** The entry of a kind. */
    static ErrorGuide of(ErrorKind kind) {
        return switch (kind) {
            case REFUSED ->
                new ErrorGuide("connect", "nobody listened on the port: is the server up, and is it this port?");
            case CONNECT_TIMEOUT ->
                new ErrorGuide(
                        "connect",
                        "SYNs got no answer: the accept queue is full (raise the backlog and net.core.somaxconn), or a"
                                + " firewall drops them");
            case TLS ->
                new ErrorGuide("TLS", "for a certificate of your own: --cacert FILE trusts it, --insecure takes any");
            case RESET ->
                new ErrorGuide(
                        "transfer",
                        "the server gave up the connection: look at its log, its connection limit, its time-outs");
            case CLOSED_EARLY ->
                new ErrorGuide(
                        "transfer",
                        "the server closed before its answer was complete: look at its log and its time-outs");
            case READ_TIMEOUT ->
                new ErrorGuide(
                        "wait",
                        "no complete answer within --timeout: the server is overloaded or hangs; try a lower load");
            case MALFORMED ->
                new ErrorGuide(
                        "parse",
                        "that is not the protocol as it should be: is it the right port and scheme (https, wss,"
                                + " --http2)?");
            case STATUS ->
                new ErrorGuide("check", "another status than is wanted: is the path right, does it need a login (-H)?");
            case LENGTH -> new ErrorGuide("check", "the body has another length than wanted");
            case BODY ->
                new ErrorGuide(
                        "check",
                        "the body is not what --contains or --expect-echo wants: it may be an error page with a good"
                                + " status");
            case CHECK -> new ErrorGuide("check", "an answer did not pass a check of the scenario");
            case OTHER ->
                new ErrorGuide(
                        "generator",
                        "this machine was in the way: file descriptors (ulimit -n) or local ports (--source"
                                + " 127.0.0.2,127.0.0.3)");
            case UNKNOWN -> new ErrorGuide("unknown", "the version of Fettle that took it down knows what it is");
        };
    }
}
