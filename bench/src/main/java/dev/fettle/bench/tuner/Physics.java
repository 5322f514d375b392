package dev.fettle.bench.tuner;

import dev.fettle.model.knob.Setting;
import dev.fettle.model.text.OptionalFigure;
import java.util.List;
import java.util.Map;

/**
 * What a server with a pool of threads does under a closed load without pauses, on one CPU.
 *
 * @param threads the pool's size by default
 * @param hold seconds for which a request holds its thread when nothing is full
 * @param ceiling requests a second that the CPU gives
 * @param clients of the load, each with one request
 * @param places requests that what lies behind the server takes at once
 * @param knee how sharply one limit gives way to the other, as an exponent
 * @param contention the share of a request that is done one after the other (σ of the law of scalability)
 * @param coherence what each two threads cost each other (κ)
 */
record Physics(
        int threads,
        double hold,
        double ceiling,
        int clients,
        int places,
        double knee,
        double contention,
        double coherence) {
    /** Seconds that a trial takes: 3 to start, 2 to warm up, 10 to measure. */
    static final double TRIAL = 15;

    private static final double MEASURED = 10;

    /** Seconds after which a server has died. */
    static final double DEATH = 5;

    /** The size of the pool that a setting has. */
    int threads(Setting s) {
        return s.get("threads.max").map(Integer::parseInt).orElse(threads);
    }

    /** Requests a second: the lower of the pool's, the clients', the services' and the CPU's ceiling, rounded off as queues do. */
    double pool(int size) {
        double wanted = Math.min(Math.min(size, places), clients) / hold;
        return 1 / Math.pow(Math.pow(wanted, -knee) + Math.pow(ceiling, -knee), 1 / knee);
    }

    /** What is left when so many threads contend (Gunther's universal law of scalability). */
    double crowd(int size) {
        return 1 / (1 + contention * (size - 1.0) + coherence * size * (size - 1.0));
    }

    /** What a trial of a setting sees at x requests a second. */
    RecordedTrial trial(Setting s, double x) {
        int size = threads(s);
        double ms = 1e3 * clients / x;
        // the clients pause for nothing, so there is a request for each thread
        double busy = Math.min(size, clients);
        long n = Math.round(x * MEASURED);
        return new RecordedTrial(
                0,
                List.of(),
                Map.of("threads.max", Integer.toString(size)),
                TRIAL,
                MEASURED,
                n,
                Map.of(),
                clients * MEASURED,
                List.of(ms, ms, ms, ms, ms),
                OptionalFigure.of(Math.min(MEASURED, n / ceiling)),
                OptionalFigure.of(0),
                OptionalFigure.of(busy),
                OptionalFigure.of(busy),
                OptionalFigure.of(size),
                OptionalFigure.of(Math.max(0, clients - size)),
                OptionalFigure.of(5),
                OptionalFigure.of(0),
                OptionalFigure.of(0),
                OptionalFigure.of(0),
                500,
                List.of(),
                "");
    }
}
