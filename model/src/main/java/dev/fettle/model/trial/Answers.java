package dev.fettle.model.trial;

import java.util.List;

/**
 * What the complete answers to one request, or to one step of a scenario, looked like; right and wrong ones. Two settings under
 * which a server answers differently can't be compared by how fast it does.
 *
 * @param step name of the scenario's step; empty for a plain load
 * @param shapes all of them by status and length, the most frequent first
 * @param contents a sample of them by status, length and hash of the body, the most frequent first
 * @param otherContents those of the sample that are not among {@code contents}: there were too many different ones
 */
public record Answers(String step, List<Shape> shapes, List<Content> contents, long otherContents) {
    public Answers {
        shapes = List.copyOf(shapes);
        contents = List.copyOf(contents);
    }

    /**
     * Answers of one length, or, where there were too many different ones, of lengths between two bounds.
     *
     * @param status HTTP status; 0 for a message, and where lengths are not told apart
     * @param shortest bytes of the body
     * @param longest the same
     */
    public record Shape(int status, long shortest, long longest, long count) {}

    /**
     * Answers that were the same.
     *
     * @param status HTTP status; 0 for a message
     * @param length bytes of the body
     * @param hash CRC-32C of the body, eight hexadecimal digits
     */
    public record Content(int status, long length, String hash, long count) {}

    /** All answers. */
    public long count() {
        return shapes.stream().mapToLong(Shape::count).sum();
    }

    /** All answers of the sample. */
    public long sampled() {
        return otherContents + contents.stream().mapToLong(Content::count).sum();
    }
}
