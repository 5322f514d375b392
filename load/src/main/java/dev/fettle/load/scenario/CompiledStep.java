package dev.fettle.load.scenario;

import dev.fettle.load.bytes.BytePattern;
import org.jspecify.annotations.Nullable;

/**
 * One step, ready to be sent and judged again and again; shared by all users.
 *
 * @param name for messages
 * @param host what the Host field says
 * @param fields of the request's head, without Cookie and Content-Length
 * @param cookie the step's own cookies; null: only the jar's
 * @param body null: neither a body nor a Content-Length
 * @param statuses by status, whether it is wanted
 * @param wantedStatuses the same in words
 * @param headerNames in lower case, those that tests and takes want
 * @param patterns texts to look for while the body comes
 * @param wantsBody whether the body is kept to be looked at in the end
 * @param thinkFrom nanoseconds
 * @param thinkTo nanoseconds
 * @param goOn whether the iteration goes on after a failure
 */
record CompiledStep(
        String name,
        boolean head,
        byte[] method,
        Template host,
        Template path,
        Field[] fields,
        @Nullable Template cookie,
        @Nullable Template body,
        boolean[] statuses,
        String wantedStatuses,
        String[] headerNames,
        BytePattern[] patterns,
        boolean wantsBody,
        CompiledCondition[] tests,
        CompiledExtraction[] takes,
        long thinkFrom,
        long thinkTo,
        boolean goOn) {

    /**
     * Fields of a head, in the form of the load's protocol.
     *
     * @param constant those whose values are constant
     * @param name of the one behind them
     * @param value of that; null: there is none
     */
    record Field(byte[] constant, byte[] name, @Nullable Template value) {}
}
