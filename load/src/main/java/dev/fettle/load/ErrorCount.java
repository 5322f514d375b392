package dev.fettle.load;

/**
 * How often one kind of error happened, with its first example.
 *
 * @param count attempts that failed this way, at least 1
 * @param example the first one seen, in words
 */
public record ErrorCount(long count, String example) {

    ErrorCount plus(ErrorCount later) {
        return new ErrorCount(count + later.count, example);
    }
}
