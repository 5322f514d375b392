package dev.fettle.report.table;

import dev.fettle.model.trial.Measurement;
import java.math.BigDecimal;
import java.math.RoundingMode;

/** A load over time as CSV (RFC 4180), one row per second; times in milliseconds, the warm-up marked. */
public final class BenchCsv {
    /** The first line. */
    public static final String HEADING =
            "seconds,length_seconds,phase,responses_per_second,responses,failed,p50_ms,p90_ms,p99_ms,max_ms,connections\r\n";

    private static final int DECIMALS = 6;

    private BenchCsv() {}

    /**
     * One row.
     *
     * @param connections open at the window's end
     */
    public static String row(Measurement.Window w, int connections) {
        boolean any = w.responses() > 0;
        return String.join(
                        ",",
                        number(w.at()),
                        number(w.seconds()),
                        w.measured() ? "measure" : "warm-up",
                        number(w.throughput()),
                        Long.toString(w.responses()),
                        Long.toString(w.failed()),
                        any ? millis(w.p50()) : "",
                        any ? millis(w.p90()) : "",
                        any ? millis(w.p99()) : "",
                        any ? millis(w.max()) : "",
                        Integer.toString(connections))
                + "\r\n";
    }

    private static String millis(long nanos) {
        return number(nanos / 1e6);
    }

    private static String number(double value) {
        return BigDecimal.valueOf(value)
                .setScale(DECIMALS, RoundingMode.HALF_UP)
                .stripTrailingZeros()
                .toPlainString();
    }
}
