package dev.fettle.model.imports;

import dev.fettle.model.text.Secrets;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The published figures of a load test; those not given are absent.
 *
 * @param tool the program that printed them: {@code ab}, {@code wrk}, {@code a table}
 * @param label tells several results apart: a row's first cell, a URL, without its secrets; may be empty
 * @param figures in seconds, bytes and counts
 * @param percentiles percent to latency in seconds
 * @param keepAlive whether connections carried several requests
 * @param meanBelow by how much the mean may have been less than the figure, in seconds: tools round it, or cut it off
 * @param meanAbove by how much it may have been more
 * @param clients what the number of clients means
 * @param derived figures that were not told, but calculated from others: they can't contradict those
 */
public record Published(
        String tool,
        String label,
        Map<Figure, Double> figures,
        SortedMap<Double, Double> percentiles,
        Optional<Boolean> keepAlive,
        double meanBelow,
        double meanAbove,
        Clients clients,
        Set<Figure> derived) {

    /** What the number of clients means. */
    public enum Clients {
        /** So many loaded all the time, each waiting for its answer before its next request. */
        STEADY,
        /** So many at most: they started one after the other, or ended before the test did. */
        AT_MOST,
        /** Nothing: requests came at a rate, or a client had several at once, so that Little's law has no bound. */
        OPEN
    }

    /** A figure. */
    public enum Figure {
        /** Concurrent clients, users, connections or threads. */
        CLIENTS,
        /** Length of the test in seconds. */
        SECONDS,
        /** All responses, wrong ones included. */
        RESPONSES,
        /** Attempts without a valid response, wrong responses included. */
        FAILED,
        /** Responses with an error status. */
        WRONG,
        /** Attempts without any response, which are not among the responses; absent if there were none, or it is not known. */
        LOST,
        /** Responses whose body has another length than the first one's, where the tool counts them. */
        OTHER_LENGTH,
        /** Responses per second. */
        THROUGHPUT,
        /** Latency in seconds. */
        MEAN,
        MIN,
        MAX,
        /** A client's pause between two requests, in seconds. */
        THINK,
        /** Bytes received in all, heads included. */
        BYTES,
        /** Bytes received per second, heads included. */
        BYTES_PER_SECOND,
        /** Bytes of a response's body. */
        BODY,
        /** Connects that failed; absent if there were none, or the tool does not tell them from others. */
        CONNECT_ERRORS,
        /** Mean time from the request to the first byte of its answer, in seconds. */
        FIRST_BYTE,
        /** Times to connect, in seconds. */
        CONNECT_MEAN,
        CONNECT_MAX,
        /** The longest time from the connection to the end of the answer, in seconds. */
        PROCESSING_MAX
    }

    public Published {
        label = Secrets.redactUrl(label);
        var copy = new EnumMap<Figure, Double>(Figure.class);
        copy.putAll(figures);
        figures = Collections.unmodifiableMap(copy);
        percentiles = Collections.unmodifiableSortedMap(new TreeMap<>(percentiles));
        derived = Set.copyOf(derived);
    }

    /** Without any figures yet. */
    public static Published of(String tool, String label) {
        return new Published(tool, label, Map.of(), new TreeMap<>(), Optional.empty(), 0, 0, Clients.STEADY, Set.of());
    }

    public OptionalDouble get(Figure figure) {
        Double value = figures.get(figure);
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
    }

    public boolean has(Figure figure) {
        return figures.containsKey(figure);
    }

    public Published with(Figure figure, double value) {
        var more = new EnumMap<Figure, Double>(Figure.class);
        more.putAll(figures);
        more.put(figure, value);
        boolean exact = figure == Figure.MEAN;
        var left = new HashSet<>(derived);
        left.remove(figure);
        return new Published(
                tool, label, more, percentiles, keepAlive, exact ? 0 : meanBelow, exact ? 0 : meanAbove, clients, left);
    }

    /** A copy with a figure that was calculated from others. */
    public Published withDerived(Figure figure, double value) {
        Published p = with(figure, value);
        var more = new HashSet<>(p.derived);
        more.add(figure);
        return new Published(tool, label, p.figures, percentiles, keepAlive, p.meanBelow, p.meanAbove, clients, more);
    }

    /** A copy with a figure, if it is present. */
    public Published with(Figure figure, OptionalDouble value) {
        return value.isPresent() ? with(figure, value.getAsDouble()) : this;
    }

    /** A copy with a percentile. */
    public Published with(double percent, double seconds) {
        var more = new TreeMap<>(percentiles);
        more.put(percent, seconds);
        return new Published(tool, label, figures, more, keepAlive, meanBelow, meanAbove, clients, derived);
    }

    public Published withKeepAlive(boolean kept) {
        return new Published(
                tool, label, figures, percentiles, Optional.of(kept), meanBelow, meanAbove, clients, derived);
    }

    /** A copy whose number of clients means this. */
    public Published with(Clients meaning) {
        return new Published(tool, label, figures, percentiles, keepAlive, meanBelow, meanAbove, meaning, derived);
    }

    /** A copy with a mean of which only its rounding is known: it was between {@code seconds - below} and {@code seconds + above}. */
    public Published withMean(double seconds, double below, double above) {
        Published p = with(Figure.MEAN, seconds);
        return new Published(tool, label, p.figures, percentiles, keepAlive, below, above, clients, p.derived);
    }

    /** Whether the mean was printed as 0: then the figure is its upper bound. */
    public boolean rounded() {
        return meanBelow > 0 && meanAbove == 0 && meanBelow >= get(Figure.MEAN).orElse(Double.MAX_VALUE);
    }

    /** The same figures with another label. */
    public Published named(String otherTool, String otherLabel) {
        return new Published(
                otherTool, otherLabel, figures, percentiles, keepAlive, meanBelow, meanAbove, clients, derived);
    }

    /** These figures, with missing ones taken from the others. */
    public Published or(Published others) {
        var more = new EnumMap<Figure, Double>(Figure.class);
        more.putAll(others.figures);
        more.putAll(figures);
        var all = new TreeMap<>(others.percentiles);
        all.putAll(percentiles);
        var calculated = new HashSet<>(others.derived);
        calculated.removeAll(figures.keySet());
        calculated.addAll(derived);
        return new Published(
                tool,
                label.isEmpty() ? others.label : label,
                more,
                all,
                keepAlive.or(() -> others.keepAlive),
                has(Figure.MEAN) ? meanBelow : others.meanBelow,
                has(Figure.MEAN) ? meanAbove : others.meanAbove,
                clients == Clients.STEADY ? others.clients : clients,
                calculated);
    }
}
