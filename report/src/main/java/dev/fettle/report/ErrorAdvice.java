package dev.fettle.report;

import dev.fettle.load.api.ErrorKind;

/**
 * What an error kind means and what to do about it.
 *
 * @param phase of the request in which it occurs, one word: connect, TLS, wait, transfer, parse, check, generator or unknown
 * @param advice what to do about it, one line
 */
public record ErrorAdvice(String phase, String advice) {
    public static ErrorAdvice of(ErrorKind kind) {
        return switch (kind) {
            case REFUSED ->
                new ErrorAdvice("connect", "nobody listened on the port: is the server up, and is it this port?");
            case CONNECT_TIMEOUT ->
                new ErrorAdvice(
                        "connect",
                        "SYNs got no answer: the accept queue is full (raise the backlog and net.core.somaxconn), or a"
                                + " firewall drops them");
            case TLS ->
                new ErrorAdvice("TLS", "for a certificate of your own: --cacert FILE trusts it, --insecure takes any");
            case RESET ->
                new ErrorAdvice(
                        "transfer",
                        "the server gave up the connection: look at its log, its connection limit, its time-outs");
            case CLOSED_EARLY ->
                new ErrorAdvice(
                        "transfer",
                        "the server closed before its answer was complete: look at its log and its time-outs");
            case READ_TIMEOUT ->
                new ErrorAdvice(
                        "wait",
                        "no complete answer within --timeout: the server is overloaded or hangs; try a lower load");
            case MALFORMED ->
                new ErrorAdvice(
                        "parse",
                        "that is not the protocol as it should be: is it the right port and scheme (https, wss,"
                                + " --http2)?");
            case STATUS ->
                new ErrorAdvice(
                        "check", "another status than is wanted: is the path right, does it need a login (-H)?");
            case LENGTH -> new ErrorAdvice("check", "the body has another length than wanted");
            case BODY ->
                new ErrorAdvice(
                        "check",
                        "the body is not what --contains or --expect-echo wants: it may be an error page with a good"
                                + " status");
            case CHECK -> new ErrorAdvice("check", "an answer did not pass a check of the scenario");
            case OTHER ->
                new ErrorAdvice(
                        "generator",
                        "this machine was in the way: file descriptors (ulimit -n) or local ports (--source"
                                + " 127.0.0.2,127.0.0.3)");
            case UNKNOWN -> new ErrorAdvice("unknown", "recorded by another version of Fettle, which knows what it is");
        };
    }
}
