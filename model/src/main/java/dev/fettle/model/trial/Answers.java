package dev.fettle.model.trial;

import dev.fettle.load.api.ErrorKind;
import java.util.List;
import java.util.Objects;

/**
 * What the complete answers to one request, or to one step of a scenario, looked like, right and wrong ones. If a
 * server answers differently under two settings, their speeds can't be compared.
 *
 * @param step name of the scenario's step; empty for a plain load
 * @param shapes all answers by status and length, the most frequent first
 * @param contents a sample of them by status, length and hash of the body, the most frequent first
 * @param otherContents number in the sample that are not among {@code contents}, as there were too many different ones
 * @param wrong the first few that were not the expected one, each different from the others
 * @param traced how many requests had a {@code traceparent} field of their own
 * @param slowest the slowest of those, slowest first, also if they failed
 */
public record Answers(
        String step,
        List<Shape> shapes,
        List<Content> contents,
        long otherContents,
        List<Wrong> wrong,
        long traced,
        List<Traced> slowest) {
    /** Without traces. */
    public Answers(String step, List<Shape> shapes, List<Content> contents, long otherContents, List<Wrong> wrong) {
        this(step, shapes, contents, otherContents, wrong, 0, List.of());
    }

    public Answers {
        slowest = List.copyOf(Objects.requireNonNullElse(slowest, List.of())); // journals of before have none
        shapes = List.copyOf(shapes);
        contents = List.copyOf(contents);
        wrong = List.copyOf(wrong);
    }

    /**
     * A request that a server's tracing knows by the same id.
     *
     * @param id 32 hexadecimal digits, as in {@code traceparent}
     * @param latency from the intended send time to the end of the answer, or to the failure, in nanoseconds
     * @param valid whether the answer was right
     */
    public record Traced(String id, long latency, boolean valid) {}

    /**
     * A wrong answer, without secrets.
     *
     * @param kind what is wrong with it
     * @param status HTTP status; 0 for a message
     * @param head its header fields, one per line
     * @param body the body or its beginning
     * @param bytes length of the body
     * @param whole whether {@code body} is all of it
     */
    public record Wrong(ErrorKind kind, int status, List<String> head, String body, long bytes, boolean whole) {
        public Wrong {
            head = List.copyOf(head);
        }
    }

    /**
     * Answers of one length. If there were too many different lengths: of lengths between two bounds.
     *
     * @param status HTTP status; 0 for a message, and if lengths are not distinguished
     * @param shortest bytes of the body
     * @param longest bytes likewise; equal to {@code shortest} if all have one length
     */
    public record Shape(int status, long shortest, long longest, long count) {}

    /**
     * Answers with the same content.
     *
     * @param status HTTP status; 0 for a message
     * @param length bytes of the body
     * @param hash CRC-32C of the body, eight hexadecimal digits
     * @param unzipped whether they came as gzip; length and hash are then those of the unpacked body
     */
    public record Content(int status, long length, String hash, long count, boolean unzipped) {}

    /** Number of answers in the sample. */
    public long sampled() {
        return otherContents + contents.stream().mapToLong(Content::count).sum();
    }
}
