package dev.fettle.model.imports;

import dev.fettle.model.imports.Published.Clients;
import dev.fettle.model.imports.Published.Figure;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What wrk prints, and wrk2, which sends at a rate. */
final class WrkResults {
    private static final String BEGINS = "Running \\S+ test @";
    /** The command of the result below it: what it says of the rate is not about the result above it. */
    private static final String COMMAND =
            "^(?>.{0,200}?\\bwrk2?\\s)(?>(?:.{0,500}?\\s)?(?:-[A-Za-z]|--[a-z]|https?://)).{0,1000}+"
                    + "(?=(?:\\R.{0,300}+){0,5}?\\R.{0,300}?" + BEGINS + ")";

    static final ResultSplit SPLIT = new ResultSplit(
            COMMAND + "|" + BEGINS,
            "threads and [0-9]+ connections",
            "Thread Stats ",
            "[0-9] requests in [0-9]",
            "Requests/sec:",
            "Transfer/sec:");

    private static final Pattern WRK2 =
            Pattern.compile("Thread calibration:|HdrHistogram|\\bwrk2?\\s(?:.{0,500}\\s)?(?:-R\\s?|--rate[= ])[0-9]");
    private static final Pattern ERRORS =
            Pattern.compile("Socket errors: connect ([0-9]+), read ([0-9]+), write ([0-9]+), timeout ([0-9]+)");
    /** The end of an HdrHistogram's bucket is up to 0.1 % above what fell into it, and both are rounded as they are printed. */
    private static final double BUCKET = 1.01;

    private WrkResults() {}

    static Published one(String text) {
        boolean open = WRK2.matcher(text).find();
        Published p = Published.of(
                open ? "wrk2" : "wrk", ResultImport.first(text, "test @ (\\S+)").orElse(""));
        p = open
                ? p.with(Clients.OPEN) // its connections are not clients that wait for an answer
                : ResultImport.with(p, Figure.CLIENTS, text, "and " + ResultImport.NUMBER + " connections", 1);
        p = ResultImport.with(p, Figure.RESPONSES, text, "(?<![0-9,])" + ResultImport.NUMBER + " requests in ", 1);
        p = ResultImport.with(p, Figure.THROUGHPUT, text, "Requests/sec:\\s+" + ResultImport.NUMBER, 1);
        p = p.with(Figure.SECONDS, Amounts.time(text, "requests in (\\S+?),"));
        p = p.with(Figure.BYTES, Amounts.bytes(text, "requests in \\S+, (\\S+) read"));
        p = p.with(Figure.BYTES_PER_SECOND, Amounts.bytes(text, "Transfer/sec:\\s+(\\S+)"));
        p = p.with(Figure.MEAN, Amounts.time(text, "Latency\\s+([0-9.]+[a-zµ]+)"));
        p = p.with(Figure.MAX, Amounts.time(text, "Latency\\s+\\S+\\s+\\S+\\s+([0-9.]+[a-zµ]+)"));
        p = failures(p, text, open).withKeepAlive(true);
        int uncorrected = text.indexOf("Uncorrected Latency"); // of wrk2 -U, below the one that counts
        Published all = ResultImport.percentiles(
                p,
                uncorrected < 0 ? text : text.substring(0, uncorrected),
                "(?m)^[ \\t]*([0-9]{1,2}(?:\\.[0-9]+)?)%\\s+([0-9.]+[a-zµ]+)\\s*$");
        return open ? withinTheLongest(all) : all;
    }

    private static Published failures(Published read, String text, boolean open) {
        double wrong = ResultImport.number(text, "Non-2xx or 3xx responses:\\s+" + ResultImport.NUMBER)
                .orElse(0.0);
        double lost = 0;
        double late = 0;
        double connects = 0;
        Matcher errors = ERRORS.matcher(text);
        if (errors.find()) {
            double timeouts = Double.parseDouble(errors.group(4));
            // wrk 4 counts an answer that was late among its requests, and as a timeout; others, who never came
            boolean answered = !open && timeouts <= read.get(Figure.RESPONSES).orElse(0);
            late = answered ? timeouts : 0;
            lost = answered ? 0 : timeouts;
            connects = Double.parseDouble(errors.group(1));
            for (int i = 1; i <= 3; i++) {
                lost += Double.parseDouble(errors.group(i));
            }
        }
        Published p = read.with(Figure.WRONG, wrong).with(Figure.FAILED, wrong + late + lost);
        p = connects > 0 ? p.with(Figure.CONNECT_ERRORS, connects) : p;
        return lost > 0 ? p.with(Figure.LOST, lost) : p;
    }

    private static Published withinTheLongest(Published read) {
        double most = read.get(Figure.MAX).orElse(Double.POSITIVE_INFINITY);
        Published p = read;
        for (var e : read.percentiles().entrySet()) {
            p = e.getValue() <= most * BUCKET ? p.with(e.getKey(), Math.min(most, e.getValue())) : p;
        }
        return p;
    }
}
