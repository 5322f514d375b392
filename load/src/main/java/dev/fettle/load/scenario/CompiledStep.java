package dev.fettle.load.scenario;

import dev.fettle.load.bytes.BytePattern;
import org.jspecify.annotations.Nullable;

/**
 * One step, ready to be sent and judged repeatedly; shared by all users.
 *
 * @param name for messages
 * @param host value of the Host field
 * @param fields of the request's head, without Cookie and Content-Length
 * @param cookie the step's own cookies; null: only the jar's
 * @param body null: neither a body nor a Content-Length
 * @param statuses for each status, whether it is accepted
 * @param wantedStatuses the same in words
 * @param headerNames in lower case, those that conditions and extractions need
 * @param patterns texts to search for while the body arrives
 * @param wantsBody whether to keep the body for checks at the end
 * @param thinkFrom nanoseconds
 * @param thinkTo nanoseconds
 * @param goOn whether the iteration continues after a failure
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
     * @param constant those with constant values, already written
     * @param name of the field that follows them
     * @param value of that field; null: there is none
     */
    record Field(byte[] constant, byte[] name, @Nullable Template value) {}
}
