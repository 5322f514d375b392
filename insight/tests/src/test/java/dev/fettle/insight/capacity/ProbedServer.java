package dev.fettle.insight.capacity;

import dev.fettle.insight.CapacityResult;
import dev.fettle.model.plan.Slo;
import java.util.ArrayList;
import java.util.List;

/** Something that can be searched for its capacity without a server or a clock. */
public interface ProbedServer {

    /** What a probe sees. */
    Probe probe(CapacitySearch.Step.Offer offer, int ordinal);

    /** The search, from its first probe to its end. */
    default CapacityResult search(Slo slo, CapacitySearch.Settings settings) {
        return search(slo, settings, new ArrayList<>());
    }

    /** The probes of a search, judged. */
    default List<Judged> probes(Slo slo, CapacitySearch.Settings settings) {
        var seen = new ArrayList<Probe>();
        search(slo, settings, seen);
        return seen.stream().map(p -> new Judged(p, ProbeVerdict.of(p, slo))).toList();
    }

    private CapacityResult search(Slo slo, CapacitySearch.Settings settings, List<Probe> seen) {
        var search = new CapacitySearch(slo, settings);
        while (seen.size() < 500) {
            switch (search.next(List.copyOf(seen))) {
                case CapacitySearch.Step.Stop(CapacityResult result) -> {
                    return result;
                }
                case CapacitySearch.Step.Offer offer -> seen.add(probe(offer, seen.size()));
            }
        }
        throw new AssertionError("no end after " + seen.size() + " probes");
    }
}
