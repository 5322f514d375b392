package dev.fettle.model.imports;

import dev.fettle.model.imports.Published.Figure;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Reads what load generators print: ab, wrk, siege, hey, k6, JMeter (the lines of its summariser, the table of its aggregate
 * report, its JTL in CSV), and tables in Markdown.
 */
public final class ResultImport {
    static final String NUMBER = "([0-9][0-9,]*(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)";

    private static final ResultSplit AB = new ResultSplit(
            "This is ApacheBench|Server Software:|Document Path:",
            "Concurrency Level:",
            "Time taken for tests:",
            "Complete requests:",
            "Failed requests:",
            "Requests per second:",
            "Connection Times \\(ms\\)",
            "Percentage of the requests served");
    private static final ResultSplit HEY = new ResultSplit(
            "^[> \\t]*Summary:",
            "Slowest:",
            "Average:",
            "Requests/sec:",
            "(?:Latency|Response time) distribution:",
            "Status code distribution:");
    private static final ResultSplit SIEGE = new ResultSplit(
            "\\*\\* (?:SIEGE|Preparing) ",
            "(?i)(?<!successful[_ ]|failed[_ ])\\btransactions\"?\\s*:",
            "(?i)elapsed[_ ]time\"?\\s*:",
            "(?i)response[_ ]time\"?\\s*:",
            "(?i)transaction[_ ]rate\"?\\s*:",
            "(?i)failed[_ ]transactions\"?\\s*:",
            "(?i)longest[_ ]transaction\"?\\s*:");
    private static final Pattern AB_FAILED =
            Pattern.compile("\\(Connect: ([0-9]+),(?: Receive: ([0-9]+),)? Length: ([0-9]+), Exceptions: ([0-9]+)\\)");

    private static final Pattern NOT_CONNECTED = Pattern.compile(
            "(?i)\\bdial\\b|connection refused|connection error|connect:|too many open files|cannot assign requested address");

    /** A generator whose results are known by words that no other prints. */
    private enum Tool {
        AB("ab"),
        WRK("wrk"),
        HEY("hey"),
        SIEGE("siege"),
        K6("k6");

        private final String id;

        Tool(String id) {
            this.id = id;
        }

        private boolean printed(String text) {
            return switch (this) {
                case AB -> text.contains("Concurrency Level:") || text.contains("Requests per second:");
                case WRK -> text.contains("Requests/sec:") && has(text, "requests in [0-9.]+");
                case HEY ->
                    text.contains("Requests/sec:") && (!WRK.printed(text) || has(text, "(?m)^[> \\t]*Slowest:"));
                case SIEGE -> has(text, "(?i)transaction[_ ]rate\"?\\s*:");
                case K6 -> has(text, "http_reqs[ .:]");
            };
        }

        private List<Published> read(String text) {
            return switch (this) {
                case AB -> ResultImport.AB.read(text, ResultImport::ab);
                case WRK -> WrkResults.SPLIT.read(text, WrkResults::one);
                case HEY -> ResultImport.HEY.read(text, ResultImport::hey);
                case SIEGE -> ResultImport.SIEGE.read(text, ResultImport::siege);
                case K6 -> K6Results.SPLIT.read(text, K6Results::one);
            };
        }
    }

    private ResultImport() {}

    /**
     * All results in a text.
     *
     * @throws ImportException if it is none of these, or if it has results of two generators: those of the second would be missed
     */
    public static List<Published> read(String text) {
        List<Tool> tools =
                Arrays.stream(Tool.values()).filter(t -> t.printed(text)).toList();
        if (tools.size() > 1) {
            throw new ImportException("this has results of "
                    + tools.stream().map(t -> t.id).collect(Collectors.joining(" and of "))
                    + ": put those of each into a file of their own, and name all the files");
        }
        if (!tools.isEmpty()) {
            return tools.getFirst().read(text);
        }
        for (Map.Entry<String, Pattern> other : NOT_READ.entrySet()) {
            if (other.getValue().matcher(text).find()) {
                throw new ImportException("this is a result of " + other.getKey() + ", which is not read, and not of "
                        + READ + ": give its figures as options, --rate, --mean and the others");
            }
        }
        Optional<List<Published>> jmeter = JmeterResults.read(text);
        if (jmeter.isPresent()) {
            return jmeter.get();
        }
        List<Published> table = ResultTable.read(text);
        if (!table.isEmpty()) {
            return table;
        }
        List<String> headings = ResultTable.unknownHeadings(text);
        if (!headings.isEmpty()) {
            throw new ImportException(
                    "this is no result of " + READ + ", and of this table's columns none is known by its heading ("
                            + String.join(", ", headings)
                            + "): name them like | clients | requests | errors | mean (ms) | rate (req/s) |, or give the figures as options");
        }
        throw new ImportException("this is no result of " + READ + ", and no Markdown table with a heading"
                + " such as | clients | mean (ms) | rate |; figures can be given as options, too");
    }

    private static final String READ = "ab, wrk, siege, hey, oha, k6 or JMeter";

    /** By what is printed by no other. */
    private static final Map<String, Pattern> NOT_READ = Map.of(
            "vegeta",
            Pattern.compile("^Latencies +\\[|\"latencies\" *: *\\{ *\"total\"|^bucket +# ", Pattern.MULTILINE),
            "autocannon",
            Pattern.compile("^Running \\d++\\w*+ test @ .*\\R\\d++ connections\\R|\"sampleInt\" *:", Pattern.MULTILINE),
            "Gatling",
            Pattern.compile("---- Global Information -|\"numberOfRequests\" *:|^RUN\\t\\S", Pattern.MULTILINE),
            "Locust",
            Pattern.compile("^Type +Name +# reqs|^Type,Name,Request Count", Pattern.MULTILINE),
            "Artillery",
            Pattern.compile("^All VUs finished\\.|\"vusers\\.created\" *:|^vusers\\.created", Pattern.MULTILINE));

    private static Published ab(String text) {
        Published p = Published.of("ab", first(text, "Document Path:\\s+(\\S+)").orElse(""));
        p = with(p, Figure.CLIENTS, text, "Concurrency Level:\\s+" + NUMBER, 1);
        p = with(p, Figure.SECONDS, text, "Time taken for tests:\\s+" + NUMBER, 1);
        p = with(p, Figure.RESPONSES, text, "Complete requests:\\s+" + NUMBER, 1);
        p = with(p, Figure.THROUGHPUT, text, "Requests per second:\\s+" + NUMBER, 1);
        p = with(p, Figure.BYTES, text, "Total transferred:\\s+" + NUMBER, 1);
        p = with(p, Figure.BODY, text, "Document Length:\\s+" + NUMBER, 1);
        p = abFailures(p, text);
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
        Matcher waiting = Pattern.compile("Waiting" + row).matcher(text);
        if (waiting.find()) {
            p = p.with(Figure.FIRST_BYTE, ms(waiting, 2));
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
                Pattern.compile("(?m)^[ \\t]*([0-9]{1,2})%\\s+([0-9]+)\\s*$").matcher(text);
        while (percentile.find()) {
            p = p.with(Double.parseDouble(percentile.group(1)), ms(percentile, 2));
        }
        return p;
    }

    /**
     * To ab an answer has failed, too, if its length is not the first one's. What it could not receive is among its complete
     * requests, and what it could not connect is not.
     */
    private static Published abFailures(Published read, String text) {
        if (!read.has(Figure.RESPONSES)) {
            return read;
        }
        double wrong = number(text, "Non-2xx responses:\\s+" + NUMBER).orElse(0.0);
        double failed = number(text, "Failed requests:\\s+" + NUMBER).orElse(0.0);
        Published p = read.with(Figure.WRONG, wrong);
        Matcher why = AB_FAILED.matcher(text);
        if (!why.find()) {
            return p.with(Figure.FAILED, Math.max(wrong, failed));
        }
        double received = why.group(2) == null ? 0 : Double.parseDouble(why.group(2));
        double length = Double.parseDouble(why.group(3));
        double lost = Double.parseDouble(why.group(1)) + received + Double.parseDouble(why.group(4));
        p = p.with(Figure.FAILED, Math.max(wrong + lost, failed - length));
        p = length > 0 ? p.with(Figure.OTHER_LENGTH, length) : p;
        double connects = Double.parseDouble(why.group(1));
        p = connects > 0 ? p.with(Figure.CONNECT_ERRORS, connects) : p;
        double all = read.get(Figure.RESPONSES).orElse(0);
        return lost > 0 ? answered(p.with(Figure.LOST, lost), all - Math.min(all, received), all) : p;
    }

    /** Leaves out of responses, and of their rate, the requests among them that were not answered. */
    private static Published answered(Published p, double answers, double all) {
        double rate = p.get(Figure.THROUGHPUT).orElse(0) * (all > 0 ? answers / all : 1);
        return (p.has(Figure.THROUGHPUT) ? p.with(Figure.THROUGHPUT, rate) : p).with(Figure.RESPONSES, answers);
    }

    /** What hey prints, and oha, which took over its form. */
    private static Published hey(String text) {
        Published p = Published.of(text.contains("Success rate:") ? "oha" : "hey", "");
        p = with(p, Figure.THROUGHPUT, text, "Requests/sec:\\s+" + NUMBER, 1);
        p = with(p, Figure.SECONDS, text, "Total:\\s+" + NUMBER + " secs", 1);
        Optional<String> mean = first(text, "Average:\\s+([0-9.]+) secs");
        p = mean.isPresent() ? Amounts.mean(p, mean.get(), 1) : p;
        p = with(p, Figure.MIN, text, "Fastest:\\s+" + NUMBER + " secs", 1);
        p = with(p, Figure.MAX, text, "Slowest:\\s+" + NUMBER + " secs", 1);
        p = with(p, Figure.BODY, text, "Size/request:\\s+" + NUMBER + " (?:bytes|B)\\b", 1);
        double all = 0;
        double wrong = 0;
        Matcher status = Pattern.compile("\\[([0-9]{3})]\\s+([0-9]+) responses").matcher(text);
        while (status.find()) {
            double n = Double.parseDouble(status.group(2));
            all += n;
            wrong += status.group(1).matches("[23]..") ? 0 : n;
        }
        double lost = 0;
        double connects = 0;
        double givenUp = 0;
        int at = text.indexOf("Error distribution");
        Matcher error = Pattern.compile("(?m)^[ \\t]*\\[([0-9]+)]\\s(.*)$").matcher(at < 0 ? "" : text.substring(at));
        while (error.find()) {
            if (error.group(2).contains("aborted due to deadline")) { // by oha itself, as the test was over
                givenUp += Double.parseDouble(error.group(1));
                continue;
            }
            lost += Double.parseDouble(error.group(1));
            connects += NOT_CONNECTED.matcher(error.group(2)).find() ? Double.parseDouble(error.group(1)) : 0;
        }
        p = connects > 0 ? p.with(Figure.CONNECT_ERRORS, connects) : p;
        if (all + lost > 0) {
            p = p.with(Figure.WRONG, wrong).with(Figure.FAILED, wrong + lost);
            p = lost > 0 ? p.with(Figure.LOST, lost) : p;
            // its rate counts all, its latencies those that were answered; what oha gave up, only some releases count
            double counted =
                    p.get(Figure.THROUGHPUT).orElse(0) * p.get(Figure.SECONDS).orElse(0);
            double ended = all + lost;
            boolean withGivenUp = Math.abs(counted - ended - givenUp) < Math.abs(counted - ended);
            p = answered(p, all, withGivenUp ? ended + givenUp : ended);
        }
        Matcher percentile = Pattern.compile("(?<![0-9.])([0-9.]++)%++ in " + NUMBER + " secs")
                .matcher(text);
        while (percentile.find()) {
            p = p.with(Double.parseDouble(percentile.group(1)), parsed(percentile.group(2)));
        }
        return p;
    }

    /** Between a name and its value. Both are constants, so that the whole patterns are, which the tests see. */
    private static final String SIEGE_IS = "\"?+\\s*+:\\s*+";

    /** In ms since siege 4.1. */
    private static final String SIEGE_TIME = SIEGE_IS + "([0-9.]+(?: *(?:secs?|m?s)\\b)?)";

    private static Published siege(String text) {
        Published p = Published.of("siege", "");
        p = with(p, Figure.CLIENTS, text, "(?i)preparing " + NUMBER + " concurrent users", 1);
        p = with(p, Figure.RESPONSES, text, "(?i)\\btransactions" + SIEGE_IS + NUMBER, 1);
        p = with(p, Figure.SECONDS, text, "(?i)elapsed[_ ]time" + SIEGE_IS + NUMBER, 1);
        p = with(p, Figure.THROUGHPUT, text, "(?i)transaction[_ ]rate" + SIEGE_IS + NUMBER, 1);
        // these are not among its transactions; how many of them were answered, it does not say
        Optional<Double> failed = number(text, "(?i)failed[_ ]transactions" + SIEGE_IS + NUMBER);
        p = failed.isPresent() ? p.with(Figure.FAILED, failed.get()) : p;
        p = failed.orElse(0.0) > 0 ? p.with(Figure.LOST, failed.get()) : p;
        p = p.with(Figure.MAX, Amounts.time(text, "(?i)longest[_ ]transaction" + SIEGE_TIME));
        p = p.with(Figure.MIN, Amounts.time(text, "(?i)shortest[_ ]transaction" + SIEGE_TIME));
        Optional<String> mean = first(text, "(?i)response[_ ]time" + SIEGE_TIME);
        return mean.isPresent() ? Amounts.mean(p, mean.get(), 1) : p;
    }

    static Published percentiles(Published p, String text, String pattern) {
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

    static Optional<Double> number(String text, String pattern) {
        return first(text, pattern).map(ResultImport::parsed);
    }

    static Published with(Published p, Figure figure, String text, String pattern, double unit) {
        return number(text, pattern).map(n -> p.with(figure, n * unit)).orElse(p);
    }
}
