package dev.fettle.bench.tuner;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.KnobRange;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.read.PlanReader;
import dev.fettle.model.text.Json;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Verdict;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;

/**
 * A surface measured on a real server, see {@link RecordSurface}. Half of its rounds is what tuners see, the other half is the truth
 * that they are judged by; runs of odd and of even seeds have them the other way round.
 */
final class RecordedSurface implements Surface {
    /** What its plan was made for; checked again when it is read. */
    private static final int CPUS = 1;

    private final Plan recorded;
    private final List<KnobRange> knobs;
    private final Map<Setting, List<RecordedTrial>> trials = new HashMap<>();

    /** Reads NAME.yaml and NAME.jsonl.gz of a folder. */
    RecordedSurface(Path plan) throws IOException {
        this.recorded = new PlanReader(CPUS, Integer.MAX_VALUE).read(plan);
        this.knobs = recorded.sweep().orElseThrow().grid().stream()
                .map(d -> KnobRange.choices(d.name(), d.values()))
                .toList();
        ObjectMapper json = Json.mapper();
        Path data = data(plan);
        try (var lines = new BufferedReader(
                new InputStreamReader(new GZIPInputStream(Files.newInputStream(data)), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                RecordedTrial trial = json.readValue(line, RecordedTrial.class);
                trials.computeIfAbsent(setting(trial), _ -> new ArrayList<>()).add(trial);
            }
        }
        if (of(Setting.DEFAULT).isEmpty()) {
            throw new IOException(data + ": the default was not recorded");
        }
        for (KnobRange k : knobs) {
            if (!k.choices().contains(standard(k))) {
                throw new IOException(
                        plan + ": the default of " + k.knob() + ", " + standard(k) + ", is none of its values");
            }
        }
        for (Setting s : all()) {
            if (half(s, 1).isEmpty() || half(s, 2).isEmpty()) {
                throw new IOException(data + ": fewer than two rounds of " + s);
            }
        }
    }

    /** Where the trials of a plan are. */
    static Path data(Path plan) {
        return plan.resolveSibling(plan.getFileName().toString().replace(".yaml", ".jsonl.gz"));
    }

    private Setting setting(RecordedTrial trial) {
        Setting s = Setting.DEFAULT;
        for (int i = 0; i < trial.setting().size(); i++) {
            s = s.with(knobs.get(i).knob(), trial.setting().get(i));
        }
        return s;
    }

    private List<RecordedTrial> of(Setting whole) {
        return trials.getOrDefault(whole, List.of());
    }

    /** The trials that runs of a seed see; those of the next seed are their truth. Disturbed ones only where there are no others. */
    private List<RecordedTrial> half(Setting s, long seed) {
        List<RecordedTrial> all =
                of(whole(s)).stream().filter(t -> (t.round() + seed) % 2 == 0).toList();
        List<RecordedTrial> quiet = all.stream().filter(t -> !t.disturbed()).toList();
        return quiet.isEmpty() ? all : quiet;
    }

    /** A setting with the server's own value for each knob that it leaves out; the default itself as it is. */
    private Setting whole(Setting s) {
        Setting whole = Setting.DEFAULT;
        for (KnobRange k : knobs) {
            whole = whole.with(k.knob(), s.get(k.knob()).orElseGet(() -> standard(k)));
        }
        boolean none = knobs.stream().noneMatch(k -> s.get(k.knob()).isPresent());
        return none ? Setting.DEFAULT : whole;
    }

    private String standard(KnobRange k) {
        return standard(k.knob(), of(Setting.DEFAULT).getFirst().effective());
    }

    /**
     * What the server has by default. A collector that nobody set is not read back: a JVM on one CPU takes the serial one.
     *
     * @param effective read back from the default
     */
    static String standard(String knob, Map<String, String> effective) {
        String own = knob.equals("jvm.gc") && CPUS == 1 ? "serial" : "";
        return effective.getOrDefault(knob, own);
    }

    @Override
    public String id() {
        return recorded.name();
    }

    @Override
    public List<KnobRange> knobs() {
        return knobs;
    }

    @Override
    public Plan plan(int most, long seed) {
        return TunerProof.plan(id(), recorded.target(), recorded.load(), recorded.hold(), knobs, most, seed);
    }

    @Override
    public List<String> traits() {
        return List.of("recorded");
    }

    @Override
    public OptionalFigure truth(Setting setting, long seed) {
        double mean = mean(setting, seed + 1);
        return mean > 0 ? OptionalFigure.of(mean) : OptionalFigure.empty();
    }

    private double mean(Setting setting, long seed) {
        return half(setting, seed).stream()
                .mapToDouble(RecordedTrial::throughput)
                .average()
                .orElseThrow();
    }

    /**
     * What that setting truly gives which is best by all trials of the half that tuners see. The highest of the other half would be the
     * luckiest of them, and all tuners would seem to lose that luck.
     */
    @Override
    public double best(long seed) {
        Setting chosen = withDefault()
                .max(Comparator.comparingDouble(s -> mean(s, seed)))
                .orElseThrow();
        return truth(chosen, seed).orElseThrow();
    }

    @Override
    public Server server(Luck luck) {
        return (ordinal, spec) -> {
            List<RecordedTrial> some = half(spec.setting(), luck.seed());
            RecordedTrial t = some.get((int) ((ordinal + luck.seed()) % some.size()));
            return t.outcome(ordinal, spec, Verdict.VALID);
        };
    }

    @Override
    public Rivals rivals() {
        return Rivals.of(
                this,
                (s, half) -> half(s, half + 1).stream()
                        .map(RecordedTrial::throughput)
                        .toList(),
                s -> of(s).stream()
                        .mapToDouble(RecordedTrial::seconds)
                        .average()
                        .orElse(0));
    }
}
