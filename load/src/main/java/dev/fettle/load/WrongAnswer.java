package dev.fettle.load;

import dev.fettle.load.api.ErrorKind;

/**
 * A sample of an answer that was not the expected one.
 *
 * @param kind what is wrong with it
 * @param status 200 to 599; 0 for a message
 * @param head its header fields, one per line, as far as they were kept; none for a message. It may contain secrets
 * @param body the beginning of its body, or of the message; bytes that are not UTF-8 become U+FFFD. It may contain
 *     secrets
 * @param bodyBytes length of the body, of which {@code body} may be only the beginning
 * @param whole whether {@code body} is all of it
 */
public record WrongAnswer(ErrorKind kind, int status, String head, String body, long bodyBytes, boolean whole) {
    /**
     * Whether both are wrong in the same way and equally long: then they hardly differ in more than a time or a number.
     */
    public boolean isLike(WrongAnswer other) {
        return kind == other.kind && status == other.status && bodyBytes == other.bodyBytes;
    }
}
