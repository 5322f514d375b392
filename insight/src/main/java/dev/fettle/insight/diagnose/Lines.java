package dev.fettle.insight.diagnose;

import dev.fettle.model.trial.TrialOutcome;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;

/** The series of a trial's timeline over the time that was measured; points that were not observed are left out. */
record Lines(Map<String, double[]> byId, Map<String, String> unseen) {

    static Lines of(TrialOutcome trial) {
        return new Lines(Map.of(), Map.of());
    }

    double[] values(String id) {
        double[] all = byId.get(id);
        return all == null ? new double[0] : DoubleStream.of(all).filter(Double::isFinite).toArray();
    }

    OptionalDouble mean(String id) {
        return Arrays.stream(values(id)).average();
    }

    OptionalDouble max(String id) {
        return Arrays.stream(values(id)).max();
    }

    OptionalDouble first(String id) {
        return Arrays.stream(values(id)).findFirst();
    }

    OptionalDouble last(String id) {
        double[] v = values(id);
        return v.length == 0 ? OptionalDouble.empty() : OptionalDouble.of(v[v.length - 1]);
    }

    String why(String id) {
        return unseen.getOrDefault(id, id + " was not watched");
    }

    List<String> names(String prefix) {
        return byId.keySet().stream().filter(n -> n.startsWith(prefix)).sorted().toList();
    }
}
