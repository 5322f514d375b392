package dev.fettle.load;

import org.jspecify.annotations.Nullable;

/** Holds complete responses against an {@link Expectation}, cheaply. */
final class Verdict {

    private final Expectation expect;
    private final boolean[] wanted = new boolean[600];
    private final long bodyLength;

    Verdict(Expectation expect) {
        this.expect = expect;
        this.bodyLength = expect.bodyLength().orElse(-1);
        for (int status = 200; status < wanted.length; status++) {
            wanted[status] = expect.statuses().isEmpty()
                    ? status < 300
                    : expect.statuses().contains(status);
        }
    }

    /** What is wrong with the response, if anything. */
    @Nullable
    ErrorKind of(ResponseParser response) {
        if (!wanted[response.status()]) {
            return ErrorKind.STATUS;
        }
        if (bodyLength >= 0 && response.bodyLength() != bodyLength) {
            return ErrorKind.LENGTH;
        }
        return response.bodyMismatch() ? ErrorKind.BODY : null;
    }

    String explain(ErrorKind kind, ResponseParser response) {
        return switch (kind) {
            case STATUS -> "status " + response.status() + ", expected " + expect.describeStatuses();
            case LENGTH -> response.bodyLength() + " body bytes, expected " + bodyLength;
            default -> "the body lacks '" + expect.bodyContains().orElse("") + "'";
        };
    }
}
