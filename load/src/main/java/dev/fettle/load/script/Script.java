package dev.fettle.load.script;

import dev.fettle.load.api.ErrorKind;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What one client does: the requests it sends one after the other, and what it makes of the answers. An <em>iteration</em>
 * is what the schedule gives out at once: one request for a plain load, the whole sequence for a scenario.
 *
 * <p>One per client, used by one engine thread. For each request: {@link #request}, {@link #isHead}, {@link #sink}; then
 * {@link #judge} when the answer is complete (not called when the attempt failed otherwise); then {@link #next}.
 */
public interface Script {

    /** Value of {@link #next}: the iteration is over. */
    long END = -1;

    /** The client has a new connection. */
    void connected();

    /** The step of the current request, or else of the next one: 0 to the number of steps, exclusive. */
    int step();

    /**
     * The request to send now, as the load's protocol has it, or the message, from position to limit. The script leaves the bytes
     * as they are until {@link #next}; the sender may move the position.
     */
    ByteBuffer request();

    /** Length of the head at the beginning of {@link #request}, in bytes; 0: a message has none. */
    int headLength();

    /** A prefix for messages about the current request: {@code "step 'log in': "}, or nothing. */
    String place();

    /** Whether the request is HEAD, so that its answer has no body. */
    boolean isHead();

    /** The ids of the current request, if it named itself to the server. */
    default @Nullable Traces traces() {
        return null;
    }

    /** Receives the answer to this request as it arrives; null: not needed. */
    @Nullable
    ResponseSink sink();

    /** The fingerprint of the answer for which {@link #sink} was last called. */
    Fingerprint fingerprint();

    /** What is wrong with the complete answer, if anything. */
    @Nullable
    ErrorKind judge(Answer answer);

    /** What {@link #judge} found, for the user: what came and what was expected. */
    String explain(ErrorKind kind, Answer answer);

    /**
     * Moves on after an answer or a failure.
     *
     * @param valid whether the attempt ended in a valid answer
     * @return nanoseconds to think before the next request of this iteration, or {@link #END}
     */
    long next(boolean valid);
}
