package dev.fettle.model.imports;

import dev.fettle.model.imports.Published.Figure;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads what load generators print: ab, wrk, siege, hey, k6, JMeter (the lines of its summariser, the table of its aggregate
 * report, its JTL in CSV), and tables in Markdown.
 */
public final class ResultImport {
    private static final String NUMBER = "([0-9][0-9,]*(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)";

    private ResultImport() {}

    /**
     * All results in a text.
     *
     * @throws ImportException if it is none of these
     */
    public static List<Published> read(String text) {
        if (text.contains("Concurrency Level:") || text.contains("Requests per second:")) {
            return List.of(ab(text));
        }
        if (text.contains("Requests/sec:") && has(text, "requests in [0-9.]+")) {
            return List.of(wrk(text));
        }
        if (text.contains("Requests/sec:")) {
            return List.of(hey(text));
        }
        if (has(text, "(?i)transaction[_ ]rate\"?\\s*:")) {
            return List.of(siege(text));
        }
        if (has(text, "http_reqs[ .:]")) {
            return List.of(k6(text));
        }
        Optional<List<Published>> jmeter = JmeterResults.read(text);
        if (jmeter.isPresent()) {
            return jmeter.get();
        }
        List<Published> table = ResultTable.read(text);
        if (!table.isEmpty()) {
            return table;
        }
        throw new ImportException(
                "this is no result of ab, wrk, siege, hey, k6 or JMeter, and no Markdown table with a heading"
                        + " such as | clients | mean (ms) | rate |; figures can be given as options, too");
    }

    private static Published ab(String text) {
        Published p = Published.of("ab", first(text, "Document Path:\\s+(\\S+)").orElse(""));
        p = with(p, Figure.CLIENTS, text, "Concurrency Level:\\s+" + NUMBER, 1);
        p = with(p, Figure.SECONDS, text, "Time taken for tests:\\s+" + NUMBER, 1);
        p = with(p, Figure.RESPONSES, text, "Complete requests:\\s+" + NUMBER, 1);
        p = with(p, Figure.THROUGHPUT, text, "Requests per second:\\s+" + NUMBER, 1);
        p = with(p, Figure.BYTES, text, "Total transferred:\\s+" + NUMBER, 1);
        p = with(p, Figure.BODY, text, "Document Length:\\s+" + NUMBER, 1);
        double wrong = number(text, "Non-2xx responses:\\s+" + NUMBER).orElse(0.0);
        double failed = number(text, "Failed requests:\\s+" + NUMBER).orElse(0.0);
        if (p.has(Figure.RESPONSES)) {
            p = p.with(Figure.WRONG, wrong).with(Figure.FAILED, Math.max(wrong, failed));
        }
        p = p.withKeepAlive(number(text, "Keep-Alive requests:\\s+" + NUMBER).orElse(0.0) > 0);
        String row = ":\\s+" + NUMBER + "\\s+" + NUMBER + "\\s+" + NUMBER + "\\s+" + NUMBER + "\\s+" + NUMBER;
        Matcher connect = Pattern.compile("Connect" + row).matcher(text);
        if (connect.find()) {
            p = p.with(Figure.CONNECT_MEAN, ms(connect, 2)).with(Figure.CONNECT_MAX, ms(connect, 5));
        }
        Matcher processing = Pattern.compile("Processing" + row).matcher(text);
        if (processing.find()) {
            p = p.with(Figure.PROCESSING_MAX, ms(processing, 5));
        }
        Matcher total = Pattern.compile("Total" + row).matcher(text);
        if (total.find()) {
            // 'Time per request' is just clients divided by rate: it can't contradict them
            p = p.with(Figure.MIN, ms(total, 1)).with(Figure.MAX, ms(total, 5));
            p = Amounts.mean(p, total.group(2).replace(",", ""), 1e-3);
        } else {
            p = with(p, Figure.MEAN, text, "Time per request:\\s+" + NUMBER + " \\[ms] \\(mean\\)", 1e-3);
        }
        Matcher percentile =
                Pattern.compile("(?m)^\\s*([0-9]{1,2})%\\s+([0-9]+)\\s*$").matcher(text);
        while (percentile.find()) {
            p = p.with(Double.parseDouble(percentile.group(1)), ms(percentile, 2));
        }
        return p;
    }

    private static Published wrk(String text) {
        Published p = Published.of("wrk", first(text, "test @ (\\S+)").orElse(""));
        p = with(p, Figure.CLIENTS, text, "and " + NUMBER + " connections", 1);
        p = with(p, Figure.RESPONSES, text, NUMBER + " requests in ", 1);
        p = with(p, Figure.THROUGHPUT, text, "Requests/sec:\\s+" + NUMBER, 1);
        p = p.with(Figure.SECONDS, Amounts.time(text, "requests in (\\S+?),"));
        p = p.with(Figure.BYTES, Amounts.bytes(text, "requests in \\S+, (\\S+) read"));
        p = p.with(Figure.BYTES_PER_SECOND, Amounts.bytes(text, "Transfer/sec:\\s+(\\S+)"));
        p = p.with(Figure.MEAN, Amounts.time(text, "Latency\\s+([0-9.]+[a-zµ]+)"));
        p = p.with(Figure.MAX, Amounts.time(text, "Latency\\s+\\S+\\s+\\S+\\s+([0-9.]+[a-zµ]+)"));
        double wrong = number(text, "Non-2xx or 3xx responses:\\s+" + NUMBER).orElse(0.0);
        double lost = 0;
        Matcher errors = Pattern.compile(
                        "Socket errors: connect ([0-9]+), read ([0-9]+), write ([0-9]+), timeout ([0-9]+)")
                .matcher(text);
        if (errors.find()) {
            for (int i = 1; i <= 4; i++) {
                lost += Double.parseDouble(errors.group(i));
            }
        }
        p = p.with(Figure.WRONG, wrong).with(Figure.FAILED, wrong + lost).withKeepAlive(true);
        return percentiles(p, text, "(?m)^\\s*([0-9.]+)%\\s+([0-9.]+[a-zµ]+)\\s*$");
    }

    private static Published hey(String text) {
        Published p = Published.of("hey", "");
        p = with(p, Figure.THROUGHPUT, text, "Requests/sec:\\s+" + NUMBER, 1);
        p = with(p, Figure.SECONDS, text, "Total:\\s+" + NUMBER + " secs", 1);
        Optional<String> mean = first(text, "Average:\\s+([0-9.]+) secs");
        p = mean.isPresent() ? Amounts.mean(p, mean.get(), 1) : p;
        p = with(p, Figure.MIN, text, "Fastest:\\s+" + NUMBER + " secs", 1);
        p = with(p, Figure.MAX, text, "Slowest:\\s+" + NUMBER + " secs", 1);
        p = with(p, Figure.BODY, text, "Size/request:\\s+" + NUMBER + " bytes", 1);
        double all = 0;
        double wrong = 0;
        Matcher status = Pattern.compile("\\[([0-9]{3})]\\s+([0-9]+) responses").matcher(text);
        while (status.find()) {
            double n = Double.parseDouble(status.group(2));
            all += n;
            wrong += status.group(1).matches("[23]..") ? 0 : n;
        }
        double lost = 0;
        int at = text.indexOf("Error distribution");
        Matcher error = Pattern.compile("(?m)^\\s*\\[([0-9]+)]\\s").matcher(at < 0 ? "" : text.substring(at));
        while (error.find()) {
            lost += Double.parseDouble(error.group(1));
        }
        if (all > 0) {
            p = p.with(Figure.RESPONSES, all).with(Figure.WRONG, wrong).with(Figure.FAILED, wrong + lost);
        }
        Matcher percentile =
                Pattern.compile("([0-9.]+)%+ in " + NUMBER + " secs").matcher(text);
        while (percentile.find()) {
            p = p.with(Double.parseDouble(percentile.group(1)), parsed(percentile.group(2)));
        }
        return p;
    }

    private static Published siege(String text) {
        Published p = Published.of("siege", "");
        String is = "\"?\\s*:\\s*";
        p = with(p, Figure.CLIENTS, text, "(?i)preparing " + NUMBER + " concurrent users", 1);
        p = with(p, Figure.RESPONSES, text, "(?i)\\btransactions" + is + NUMBER, 1);
        p = with(p, Figure.SECONDS, text, "(?i)elapsed[_ ]time" + is + NUMBER, 1);
        p = with(p, Figure.THROUGHPUT, text, "(?i)transaction[_ ]rate" + is + NUMBER, 1);
        p = with(p, Figure.FAILED, text, "(?i)failed[_ ]transactions" + is + NUMBER, 1);
        p = with(p, Figure.MAX, text, "(?i)longest[_ ]transaction" + is + NUMBER, 1);
        p = with(p, Figure.MIN, text, "(?i)shortest[_ ]transaction" + is + NUMBER, 1);
        Optional<String> mean = first(text, "(?i)response[_ ]time" + is + "([0-9.]+)");
        return mean.isPresent() ? Amounts.mean(p, mean.get(), 1) : p;
    }

    private static Published k6(String text) {
        Published p = Published.of("k6", "");
        Matcher requests = Pattern.compile("http_reqs[ .]*:\\s*" + NUMBER + "\\s+" + NUMBER + "/s")
                .matcher(text);
        if (requests.find()) {
            double n = parsed(requests.group(1));
            double rate = parsed(requests.group(2));
            p = p.with(Figure.RESPONSES, n).with(Figure.THROUGHPUT, rate);
            p = rate > 0 ? p.with(Figure.SECONDS, n / rate) : p;
        }
        p = with(p, Figure.CLIENTS, text, "vus_max[ .]*:\\s*" + NUMBER, 1);
        Optional<String> duration = first(text, "http_req_duration[ .]*:\\s*(.*)");
        if (duration.isPresent()) {
            String line = duration.get();
            p = p.with(Figure.MEAN, Amounts.time(line, "avg=(\\S+)"))
                    .with(Figure.MIN, Amounts.time(line, "min=(\\S+)"))
                    .with(Figure.MAX, Amounts.time(line, "max=(\\S+)"));
            var median = Amounts.time(line, "med=(\\S+)");
            p = median.isPresent() ? p.with(50, median.getAsDouble()) : p;
            p = percentiles(p, line, "p\\(([0-9.]+)\\)=(\\S+)");
        }
        Optional<Double> failed = number(text, "http_req_failed[ .]*:\\s*" + NUMBER + "%");
        if (failed.isPresent() && p.has(Figure.RESPONSES)) {
            double n = failed.get() / 100 * p.get(Figure.RESPONSES).getAsDouble();
            p = p.with(Figure.FAILED, n).with(Figure.WRONG, n);
        }
        return p.with(Figure.BYTES_PER_SECOND, Amounts.bytes(text, "data_received[ .]*:\\s*.*?([0-9.]+ [kMG]?B)/s"));
    }

    private static Published percentiles(Published p, String text, String pattern) {
        Published all = p;
        Matcher m = Pattern.compile(pattern).matcher(text);
        while (m.find()) {
            var time = Amounts.time(m.group(2), "(.*)");
            all = time.isPresent() ? all.with(Double.parseDouble(m.group(1)), time.getAsDouble()) : all;
        }
        return all;
    }

    static double parsed(String number) {
        return Double.parseDouble(number.replace(",", ""));
    }

    private static double ms(Matcher m, int group) {
        return parsed(m.group(group)) / 1e3;
    }

    private static boolean has(String text, String pattern) {
        return Pattern.compile(pattern).matcher(text).find();
    }

    static Optional<String> first(String text, String pattern) {
        Matcher m = Pattern.compile(pattern).matcher(text);
        return m.find() ? Optional.of(m.group(1)) : Optional.empty();
    }

    private static Optional<Double> number(String text, String pattern) {
        return first(text, pattern).map(ResultImport::parsed);
    }

    private static Published with(Published p, Figure figure, String text, String pattern, double unit) {
        return number(text, pattern).map(n -> p.with(figure, n * unit)).orElse(p);
    }
}
