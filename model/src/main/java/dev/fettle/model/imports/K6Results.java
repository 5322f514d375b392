package dev.fettle.model.imports;

import dev.fettle.model.imports.Published.Clients;
import dev.fettle.model.imports.Published.Figure;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What k6 prints at its end, and how it was loaded, which it says at its beginning. */
final class K6Results {
    static final ResultSplit SPLIT = new ResultSplit(
            "execution: local|scenarios: \\(|█ (?:TOTAL RESULTS|SCENARIO|GROUP:)",
            "http_reqs[ .]*:",
            "http_req_duration[ .]*:",
            "http_req_failed[ .]*:",
            "data_received[ .]*:",
            "iteration_duration[ .]*:",
            "(?<![a-z_])iterations[ .]*:",
            "(?<![a-z_])vus_max[ .]*:");

    private static final Pattern REQUESTS =
            Pattern.compile("http_reqs[ .]*:\\s*" + ResultImport.NUMBER + "\\s+" + ResultImport.NUMBER + "/s");
    private static final Pattern VUS = Pattern.compile("(?<![a-z_])vus[ .]*:\\s*" + ResultImport.NUMBER + "\\s+min="
            + ResultImport.NUMBER + "\\s+max=" + ResultImport.NUMBER);
    private static final Pattern AT_A_RATE = Pattern.compile("iterations/s (?:for|over)|[0-9] iters/s");
    private static final Pattern RAMPED = Pattern.compile("[Uu]p to [0-9]+ looping VUs");
    private static final Pattern LOOPING =
            Pattern.compile("looping VUs|iterations shared among|iterations for each of");
    /** Below this share of the time of its requests, an iteration has several of them at once, as with http.batch. */
    private static final double AT_ONCE = 0.95;

    /** Beyond this many times of it, the rest is a pause, and not how the figures were rounded. */
    private static final double PAUSED = 1.001;

    private K6Results() {}

    static Published one(String text) {
        Published p = Published.of("k6", "");
        Matcher requests = REQUESTS.matcher(text);
        if (requests.find()) {
            double n = ResultImport.parsed(requests.group(1));
            double rate = ResultImport.parsed(requests.group(2));
            p = p.with(Figure.RESPONSES, n).with(Figure.THROUGHPUT, rate);
            p = rate > 0 ? p.withDerived(Figure.SECONDS, n / rate) : p;
        }
        Optional<String> duration = ResultImport.first(text, "http_req_duration[ .]*:\\s*(.*)");
        if (duration.isPresent()) {
            String line = duration.get();
            p = p.with(Figure.MEAN, Amounts.time(line, "avg=(\\S+)"))
                    .with(Figure.MIN, Amounts.time(line, "min=(\\S+)"))
                    .with(Figure.MAX, Amounts.time(line, "max=(\\S+)"));
            OptionalDouble median = Amounts.time(line, "med=(\\S+)");
            p = median.isPresent() ? p.with(50, median.getAsDouble()) : p;
            p = ResultImport.percentiles(p, line, "p\\(([0-9.]+)\\)=(\\S+)");
        }
        Optional<Double> failed = ResultImport.number(text, "http_req_failed[ .]*:\\s*" + ResultImport.NUMBER + "%");
        if (failed.isPresent() && p.has(Figure.RESPONSES)) {
            double n = failed.get() / 100 * p.get(Figure.RESPONSES).getAsDouble();
            p = p.with(Figure.FAILED, n).with(Figure.WRONG, n);
        }
        p = p.with(
                Figure.BYTES_PER_SECOND,
                Amounts.bytes(text, "data_received[ .]*+:\\s*+[^:\\n]*?(?<![0-9.])([0-9.]++ [kMG]?B)/s"));
        return clients(p, text);
    }

    /** VUs are clients where each loops; where iterations come at a rate they are what may be used for it. */
    private static Published clients(Published p, String text) {
        Matcher vus = VUS.matcher(text);
        boolean seen = vus.find();
        double most = ResultImport.number(text, "vus_max[ .]*:\\s*" + ResultImport.NUMBER)
                .orElse(seen ? ResultImport.parsed(vus.group(3)) : 0.0);
        double least = seen ? ResultImport.parsed(vus.group(2)) : most;
        boolean spare = seen
                && ResultImport.parsed(vus.group(3)) < most
                && !LOOPING.matcher(text).find();
        OptionalDouble each = timeOfARequest(p, text);
        double mean = p.get(Figure.MEAN).orElse(0);
        if (AT_A_RATE.matcher(text).find() || spare || each.orElse(mean) < AT_ONCE * mean) {
            return p.with(Clients.OPEN);
        }
        boolean ramped = RAMPED.matcher(text).find()
                || least < most && !LOOPING.matcher(text).find();
        Published counted = most > 0 ? p.with(Figure.CLIENTS, most) : p;
        counted = ramped ? counted.with(Clients.AT_MOST) : counted;
        return mean > 0 && each.orElse(0) > PAUSED * mean
                ? counted.with(Figure.THINK, each.getAsDouble() - mean)
                : counted;
    }

    /** The time of an iteration for each of its requests: what is more than the request itself is the script's pause. */
    private static OptionalDouble timeOfARequest(Published p, String text) {
        OptionalDouble iteration = Amounts.time(text, "iteration_duration[ .]*:\\s*avg=(\\S+)");
        double iterations = ResultImport.number(text, "(?<![a-z_])iterations[ .]*:\\s*" + ResultImport.NUMBER)
                .orElse(0.0);
        double requests = p.get(Figure.RESPONSES).orElse(0);
        return iteration.isPresent() && iterations > 0 && requests > 0
                ? OptionalDouble.of(iteration.getAsDouble() * iterations / requests)
                : OptionalDouble.empty();
    }
}
