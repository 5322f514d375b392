package dev.fettle.load.scenario;

import dev.fettle.load.bytes.BytePattern;
import org.jspecify.annotations.Nullable;

/**
 * One step, ready to be sent and judged again and again; shared by all users.
 *
 * @param name for messages
 * @param start method and blank
 * @param middle from the blank after the path to the end of the headers, without Cookie and Content-Length
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
        byte[] start,
        Template path,
        Template middle,
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
        boolean goOn) {}
