package dev.fettle.load;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The complete answers to one step of a load, valid or not, grouped by appearance. An answer that meets the expectation
 * may still differ from the answers that others got.
 *
 * @param shapes all answers, by status and length
 * @param contents a sample, by status, length and hash of the body: the first answers of each client and then one in
 *     many; {@code script.Fingerprint} says how many
 * @param otherContents sampled answers for which there was no room among the contents
 * @param wrong the first few answers that were not the expected one, each different from the others
 * @param traced requests that named themselves to the server, also those that failed
 * @param slowest the slowest of these, slowest first
 */
public record AnswerCounts(
        Map<Shape, Long> shapes,
        Map<Content, Long> contents,
        long otherContents,
        List<WrongAnswer> wrong,
        long traced,
        List<TracedRequest> slowest) {

    /** The most shapes, and the most contents, that are distinguished. */
    static final int MOST = 64;

    /** The most wrong answers that are kept. */
    public static final int WRONG = 3;

    /** No answers yet. */
    public static final AnswerCounts NONE = new AnswerCounts(Map.of(), Map.of(), 0, List.of());

    /** Without traces. */
    public AnswerCounts(
            Map<Shape, Long> shapes, Map<Content, Long> contents, long otherContents, List<WrongAnswer> wrong) {
        this(shapes, contents, otherContents, wrong, 0, List.of());
    }

    /** Makes the collections immutable. */
    public AnswerCounts {
        slowest = List.copyOf(slowest);
        shapes = Map.copyOf(shapes);
        contents = Map.copyOf(contents);
        wrong = List.copyOf(wrong);
    }

    /**
     * Answers of one length. If there are too many different lengths: of lengths between two bounds, less than 26 % apart.
     *
     * @param status 200 to 599; 0 for a message, and if lengths are not told apart
     * @param shortest bytes of the body, or of the message
     * @param longest bytes likewise; equal to {@code shortest} if all have one length
     */
    public record Shape(int status, long shortest, long longest) implements Comparable<Shape> {
        @Override
        public int compareTo(Shape o) {
            int byStatus = Integer.compare(status, o.status);
            return byStatus != 0 ? byStatus : Long.compare(shortest, o.shortest);
        }
    }

    /**
     * Answers with the same content.
     *
     * @param status 200 to 599; 0 for a message
     * @param length bytes of the body
     * @param hash CRC-32C of the body
     * @param unzipped whether it came as gzip; length and hash are those of what it unpacks to
     */
    public record Content(int status, long length, int hash, boolean unzipped) implements Comparable<Content> {
        @Override
        public int compareTo(Content o) {
            int byStatus = Integer.compare(status, o.status);
            int byLength = byStatus != 0 ? byStatus : Long.compare(length, o.length);
            int byHash = byLength != 0 ? byLength : Integer.compareUnsigned(hash, o.hash);
            return byHash != 0 ? byHash : Boolean.compare(unzipped, o.unzipped);
        }
    }

    /** The sum of both. */
    public AnswerCounts plus(AnswerCounts more) {
        var allShapes = new TreeMap<>(shapes);
        more.shapes.forEach((shape, n) -> {
            boolean room = allShapes.size() < MOST || allShapes.containsKey(shape) || shape.shortest < shape.longest;
            allShapes.merge(room ? shape : RoughLength.shape(RoughLength.index(shape.shortest)), n, Long::sum);
        });
        var allContents = new TreeMap<>(contents);
        long others = otherContents + more.otherContents;
        for (var content : more.contents.entrySet()) {
            if (allContents.size() < MOST || allContents.containsKey(content.getKey())) {
                allContents.merge(content.getKey(), content.getValue(), Long::sum);
            } else {
                others += content.getValue();
            }
        }
        return new AnswerCounts(
                allShapes,
                allContents,
                others,
                first(wrong, more.wrong),
                traced + more.traced,
                TracedRequest.slowest(slowest, more.slowest));
    }

    private static List<WrongAnswer> first(List<WrongAnswer> seen, List<WrongAnswer> later) {
        if (later.isEmpty() || seen.size() == WRONG) {
            return seen;
        }
        var all = new ArrayList<>(seen);
        for (WrongAnswer w : later) {
            if (all.size() < WRONG && all.stream().noneMatch(w::isLike)) {
                all.add(w);
            }
        }
        return all;
    }

    /** Adds answers to those collected so far, for each step. */
    static void addAll(List<AnswerCounts> sum, List<AnswerCounts> more) {
        for (int i = 0; i < more.size(); i++) {
            if (i == sum.size()) {
                sum.add(more.get(i));
            } else {
                sum.set(i, sum.get(i).plus(more.get(i)));
            }
        }
    }
}
