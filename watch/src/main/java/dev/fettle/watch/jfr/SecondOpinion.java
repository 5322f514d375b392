package dev.fettle.watch.jfr;

import dev.fettle.model.trial.Sighting;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.openjdk.jmc.common.item.IItemCollection;
import org.openjdk.jmc.common.unit.IQuantity;
import org.openjdk.jmc.flightrecorder.CouldNotLoadRecordingException;
import org.openjdk.jmc.flightrecorder.JfrLoaderToolkit;
import org.openjdk.jmc.flightrecorder.rules.IResult;
import org.openjdk.jmc.flightrecorder.rules.IRule;
import org.openjdk.jmc.flightrecorder.rules.ResultToolkit;
import org.openjdk.jmc.flightrecorder.rules.RuleRegistry;
import org.openjdk.jmc.flightrecorder.rules.Severity;
import org.openjdk.jmc.flightrecorder.rules.TypedResult;
import org.openjdk.jmc.flightrecorder.rules.util.RulesToolkit;

/**
 * What the rules of JDK Mission Control say about a recording: an opinion that is not Fettle's. They see what a flight
 * recorder sees: the JVM, but no worker pools, queues or kernel. Their classes are loaded only when needed.
 */
public final class SecondOpinion {
    /** Two threads: nothing else runs then, but the machine may have few CPUs. */
    private static final int THREADS = 2;

    /** The parser logs unknown fields for each chunk. The logger is held here so that its level is not lost to garbage collection. */
    private static final Logger LOG = Logger.getLogger("org.openjdk.jmc");

    static {
        LOG.setLevel(Level.OFF);
    }

    private SecondOpinion() {}

    /**
     * Evaluates all rules.
     *
     * @return a sighting of kind {@link Sighting#JMC} for each rule that reports something: the rule's name, its score
     *     from 25 (information) and 75 (warning) to 100, and its summary; the highest score first
     * @throws IOException if the file is not a recording, or can't be read
     */
    public static List<Sighting> of(Path recording) throws IOException {
        IItemCollection events;
        try {
            events = JfrLoaderToolkit.loadEvents(recording.toFile());
        } catch (CouldNotLoadRecordingException e) {
            throw new IOException(recording + " can't be read by JDK Mission Control: " + e.getMessage(), e);
        }
        var all = new ArrayList<Sighting>();
        for (Map.Entry<IRule, Future<IResult>> asked : RulesToolkit.evaluateParallel(
                        RuleRegistry.getRules(), events, null, THREADS)
                .entrySet()) {
            try {
                IResult result = asked.getValue().get();
                if (result.getSeverity() == Severity.INFO || result.getSeverity() == Severity.WARNING) {
                    all.add(said(asked.getKey(), result));
                }
            } catch (ExecutionException e) {
                continue; // a rule that fails gives no result; the others do
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
        }
        all.sort(Comparator.comparingDouble(Sighting::count).reversed().thenComparing(Sighting::what));
        return List.copyOf(all);
    }

    private static Sighting said(IRule rule, IResult result) {
        IQuantity score = result.getResult(TypedResult.SCORE);
        double value = score == null ? result.getSeverity().getLimit() : score.doubleValue();
        String summary = ResultToolkit.populateMessage(result, result.getSummary(), false);
        return new Sighting(Sighting.JMC, rule.getName(), Math.round(value), summary == null ? "" : summary.strip());
    }
}
