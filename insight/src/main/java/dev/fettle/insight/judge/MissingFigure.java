package dev.fettle.insight.judge;

import dev.fettle.model.imports.Published;
import dev.fettle.model.imports.Published.Clients;
import dev.fettle.model.imports.Published.Figure;
import java.util.ArrayList;
import java.util.List;

/** What would have to be known besides to believe published figures. */
final class MissingFigure {
    private MissingFigure() {}

    static List<String> of(Published p) {
        var all = new ArrayList<String>();
        boolean any = p.has(Figure.THROUGHPUT) || p.has(Figure.MEAN);
        if (!p.has(Figure.CLIENTS) && p.clients() != Clients.OPEN) {
            all.add("how many clients loaded it: without them Little's law can't be checked");
        }
        if (!p.has(Figure.MEAN)) {
            all.add("the mean latency, as measured"
                    + (p.clients() == Clients.OPEN ? "" : ": without it Little's law can't be checked"));
        }
        if (!p.has(Figure.FAILED)) {
            all.add("how many requests failed: a server that refuses is fast");
        }
        if (!p.has(Figure.WRONG)) {
            all.add("how many answers were error pages (status, length, content)");
        }
        if (!p.has(Figure.SECONDS)) {
            all.add("how long it was measured, and whether it was warm before");
        } else {
            all.add("whether it was warm before it was measured");
        }
        if (any && p.percentiles().isEmpty()) {
            all.add("percentiles: a mean hides those who waited long");
        }
        all.add("how often it was repeated, each time on a fresh process: one run has no interval");
        all.add("whether the generator, or another program on its machine, was the limit");
        return all;
    }
}
