package dev.fettle.load;

/**
 * An answer that was not the expected one, as a sample.
 *
 * @param kind what is wrong with it
 * @param status 200 to 599; 0 for a message
 * @param head the fields of its head, a line each, as far as they were kept; of a message none. It may hold secrets
 * @param body the beginning of its body, or of the message; bytes that are no UTF-8 are U+FFFD. It may hold secrets
 * @param bodyBytes length of the body, of which {@code body} may be only the beginning
 * @param whole whether {@code body} is all of it
 */
public record WrongAnswer(ErrorKind kind, int status, String head, String body, long bodyBytes, boolean whole) {
    /** Whether both are wrong in the same way, and of one length: then hardly more than a time or a number differs. */
    public boolean isLike(WrongAnswer other) {
        return kind == other.kind && status == other.status && bodyBytes == other.bodyBytes;
    }
}
