package dev.fettle.load.record;

import dev.fettle.load.AnswerCounts;
import dev.fettle.load.RoughLength;
import dev.fettle.load.TracedRequest;
import dev.fettle.load.WrongAnswer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Counts the answers to one step on one engine thread by appearance. Its size is fixed: answers without room are
 * counted by approximate length, without their content.
 */
final class AnswerTable {

    private static final int ROOM = 32;

    private static final long UNZIPPED = 1L << 61;
    /** Most wrong answers per window that are compared to find different ones. */
    private static final int LOOKS = 32;

    static {
        // load the classes now: once the load has used up the descriptors, class files can't be opened any more
        new AnswerCounts(
                        Map.of(new AnswerCounts.Shape(0, 0, 0), 1L),
                        Map.of(new AnswerCounts.Content(0, 0, 0, false), 1L),
                        0,
                        List.of())
                .plus(AnswerCounts.NONE);
        RoughLength.shape(0);
    }

    /** Status and length, and a bit that is always set; 0: free. */
    private final long[] shapes = new long[ROOM];

    private final long[] counts = new long[ROOM];
    private final long[] rough = new long[RoughLength.COUNT];
    private final long[] contents = new long[ROOM];
    private final int[] hashes = new int[ROOM];
    private final long[] contentCounts = new long[ROOM];
    private final List<WrongAnswer> wrong = new ArrayList<>();
    private final long[] traceHigh = new long[TracedRequest.KEPT];
    private final long[] traceLow = new long[TracedRequest.KEPT];
    private final long[] traceNanos = new long[TracedRequest.KEPT];
    private final boolean[] traceValid = new boolean[TracedRequest.KEPT];
    private long traced;
    private int looked;
    private long otherContents;
    private int last;

    /** Counts a complete answer. */
    void add(int status, long length) {
        long key = key(status, length);
        if (shapes[last] == key) {
            counts[last]++;
            return;
        }
        for (int i = 0; i < ROOM; i++) {
            if (shapes[i] == key || shapes[i] == 0) {
                shapes[i] = key;
                counts[i]++;
                last = i;
                return;
            }
        }
        rough[RoughLength.index(length)]++;
    }

    /** Counts the content of an answer. */
    void add(int status, long length, int hash, boolean unzipped) {
        long key = key(status, length) | (unzipped ? UNZIPPED : 0);
        for (int i = 0; i < ROOM; i++) {
            if (contents[i] == 0 || contents[i] == key && hashes[i] == hash) {
                contents[i] = key;
                hashes[i] = hash;
                contentCounts[i]++;
                return;
            }
        }
        otherContents++;
    }

    /** A request that named itself has ended; it is kept if it is among the slowest. */
    void traced(long high, long low, long nanos, boolean valid) {
        int at = 0;
        if (traced < TracedRequest.KEPT) {
            at = (int) traced;
        } else {
            for (int i = 1; i < TracedRequest.KEPT; i++) {
                at = traceNanos[i] < traceNanos[at] ? i : at;
            }
            if (nanos <= traceNanos[at]) {
                traced++;
                return;
            }
        }
        traceHigh[at] = high;
        traceLow[at] = low;
        traceNanos[at] = nanos;
        traceValid[at] = valid;
        traced++;
    }

    private List<TracedRequest> slowest() {
        return IntStream.range(0, (int) Math.min(traced, TracedRequest.KEPT))
                .mapToObj(i -> new TracedRequest(traceHigh[i], traceLow[i], traceNanos[i], traceValid[i]))
                .sorted(Comparator.comparingLong(TracedRequest::nanos).reversed())
                .toList();
    }

    boolean wantsWrong() {
        return wrong.size() < AnswerCounts.WRONG && looked < LOOKS;
    }

    void add(WrongAnswer answer) {
        looked++;
        if (wrong.stream().noneMatch(answer::isLike)) {
            wrong.add(answer);
        }
    }

    void clear() {
        wrong.clear();
        looked = 0;
        traced = 0;
        if (shapes[0] != 0) {
            Arrays.fill(shapes, 0);
            Arrays.fill(counts, 0);
            Arrays.fill(rough, 0);
            Arrays.fill(contents, 0);
            Arrays.fill(contentCounts, 0);
            otherContents = 0;
            last = 0;
        }
    }

    AnswerCounts answers() {
        var byShape = new TreeMap<AnswerCounts.Shape, Long>();
        var byContent = new TreeMap<AnswerCounts.Content, Long>();
        for (int i = 0; i < ROOM; i++) {
            if (shapes[i] != 0) {
                byShape.put(new AnswerCounts.Shape(status(shapes[i]), length(shapes[i]), length(shapes[i])), counts[i]);
            }
            if (contents[i] != 0) {
                byContent.put(
                        new AnswerCounts.Content(
                                status(contents[i]), length(contents[i]), hashes[i], (contents[i] & UNZIPPED) != 0),
                        contentCounts[i]);
            }
        }
        for (int i = 0; i < RoughLength.COUNT; i++) {
            if (rough[i] > 0) {
                byShape.put(RoughLength.shape(i), rough[i]);
            }
        }
        return new AnswerCounts(byShape, byContent, otherContents, wrong, traced, slowest());
    }

    private static long key(int status, long length) {
        return 1L << 62 | (long) status << RoughLength.BITS | Math.min(length, RoughLength.MOST);
    }

    private static int status(long key) {
        return (int) (key >>> RoughLength.BITS & 1023);
    }

    private static long length(long key) {
        return key & RoughLength.MOST;
    }
}
