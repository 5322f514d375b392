package dev.fettle.cli.run;

import dev.fettle.lab.LabListener;
import dev.fettle.model.text.Format;

/** The figures of a live line, in the form in which the result has them. */
final class LiveFigures {
    private LiveFigures() {}

    /** {@code 3,471/s · p99 52.3 ms}, and how many failed; empty before there is an answer. */
    static String of(LabListener.Progress p) {
        return p.throughput() <= 0
                ? ""
                : Format.rate(p.throughput()) + " · p99 " + Format.time(1e6 * p.p99Millis())
                        + (p.failed() == 0 ? "" : " · " + Format.whole(p.failed()) + " failed");
    }
}
