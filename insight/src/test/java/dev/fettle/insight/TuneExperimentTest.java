package dev.fettle.insight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.TuneConclusion.Result;
import dev.fettle.model.Plan;
import dev.fettle.model.TrialSpec.Phase;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;



class TuneExperimentTest {
  private record Surface(Simulated server, int from, int to) {
    double best() {
      double best = 0;
      for (int m = from; m <= to; m++) {
        best = Math.max(best, server.throughput(m));
      }
      return best;
    }
  }

  private static final Map<String, Surface> SURFACES =
      new TreeMap<>(
          Map.of(
              "wiremock: 25 threads, 50 ms, 300 clients", new Surface(Simulated.server(25, 0.050, 0.000227, 1, 300), 4, 1024),
              "login: 200 threads, 20 ms, 2 ms CPU, 4 cores", new Surface(Simulated.server(200, 0.020, 0.002, 4, 500), 4, 1000),
              "cpu-bound: no wait, 2 cores, switching", new Surface(Simulated.server(200, 0, 0.0005, 2, 256).switching(0.002), 2, 512),
              "knee: 8 threads, 5 ms wait, 1 ms CPU", new Surface(Simulated.server(8, 0.005, 0.001, 4, 200), 2, 1000),
              "collapse: 400 threads, 2 ms wait", new Surface(Simulated.server(400, 0.002, 0.0005, 4, 400).switching(0.01), 2, 1000),
              "clients: 10 threads, 100 ms wait, 40 clients", new Surface(Simulated.server(10, 0.100, 0.001, 4, 40), 2, 1000),
              "too low a range's edge", new Surface(Simulated.server(5, 0.2, 0.0002, 2, 800), 5, 120)));

  @Test
  void reportRegret() {
    for (var s : SURFACES.entrySet()) {
      double worst = 1;
      double sum = 0;
      int n = 50;
      int improved = 0;
      double trials = 0;
      for (int seed = 1; seed <= n; seed++) {
        Simulated server = s.getValue().server().seed(seed);
        Simulated.Run run = server.drive(new TuneExperiment(server.plan(s.getValue().from(), s.getValue().to())));
        double found = server.throughput(server.threadsOf(run.tune().winner()));
        double share = found / s.getValue().best();
        worst = Math.min(worst, share);
        sum += share;
        trials += run.seen().size() - run.trials(Phase.DUEL);
        improved += run.tune().result() == Result.IMPROVED ? 1 : 0;
      }
      Simulated server = s.getValue().server();
      System.out.printf(
          "%-50s mean %.3f worst %.3f default %.3f improved %d/%d trials %.1f%n", s.getKey(), sum / n, worst,
          server.throughput(server.threads()) / s.getValue().best(), improved, n, trials / n);
      Simulated.Run run = server.drive(new TuneExperiment(server.plan(s.getValue().from(), s.getValue().to())));
      run.steps().forEach(t -> System.out.println("   " + t.purpose() + "   " + t.leftAtMost() + "  X=" + server.throughput(server.threadsOf(t.spec().setting()))));
      System.out.println(run.tune().headline());
      run.tune().winnerWhy().ifPresent(w -> w.sentences().forEach(x -> System.out.println("   > " + x)));
      run.tune().baselineWhy().ifPresent(w -> w.sentences().forEach(x -> System.out.println("   < " + x)));
      System.out.println(run.tune().baselineWhy().get().refutedBy());
    }
  }
}
