package dev.fettle.report.document;

import dev.fettle.insight.trials.RunNotes;
import dev.fettle.insight.words.KnobValues;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.text.CpuList;
import dev.fettle.model.text.Format;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.report.Environment;
import dev.fettle.report.RunReport;
import dev.fettle.report.TrialGroups;
import dev.fettle.report.Wording;
import dev.fettle.report.document.Block.Fact;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The sections on what was set, what took effect, and the machine. */
record SetupSections(RunReport run) {
    private static final int MOST_COLUMNS = 4;

    static List<Block> of(RunReport run) {
        var setup = new SetupSections(run);
        return Stream.concat(setup.effective().stream(), Stream.of(setup.environment()))
                .toList();
    }

    /** A variant's setting, and the values a trial read back. */
    private record Seen(String name, Setting set, Map<String, String> effective) {
        boolean unread(String knob) {
            return SetupSections.unread(set, effective, knob);
        }
    }

    private static boolean unread(Setting set, Map<String, String> effective, String knob) {
        return set.get(knob).isPresent() && effective.getOrDefault(knob, "").isEmpty();
    }

    /** Number of knobs that some trial set and did not read back, whether the table shows that trial or not. */
    private int unread() {
        var knobs = new TreeSet<String>();
        for (TrialOutcome o : run.outcomes()) {
            Setting set = o.spec().setting();
            o.evidence()
                    .ifPresent(e -> set.values().keySet().stream()
                            .filter(knob -> unread(set, e.effective(), knob))
                            .forEach(knobs::add));
        }
        return knobs.size();
    }

    private Optional<Block> effective() {
        var seen = representatives();
        var knobs = new TreeSet<String>();
        seen.forEach(s -> {
            knobs.addAll(s.set().values().keySet());
            knobs.addAll(s.effective().keySet());
        });
        if (knobs.isEmpty()) {
            return Optional.empty();
        }
        var columns = Table.<String>of(List.copyOf(knobs)).cells("knob", Value::code);
        seen.forEach(s -> columns.cells(s.name(), knob -> cell(s, knob)));
        Table table = columns.build();
        boolean differs =
                table.rows().stream().flatMap(r -> r.values().stream()).anyMatch(v -> v.tone() == Tone.CAUTION);
        String became = became(differs, unread());
        return Optional.of(new Block.Section(
                "effective",
                "Set and effective",
                new Block.Paragraph(
                        "Values are read back from the running server. " + became
                                + " Pale values were not set: they are the server's default or come from its own configuration."),
                new Block.Figures("", "Set and effective values", table)));
    }

    /**
     * What became of the values that were set.
     *
     * @param unread knobs that were set and not read back
     */
    private static String became(boolean differs, int unread) {
        if (differs) {
            return "Where a value differs from the one that was set, both are shown.";
        }
        return unread == 0
                ? "Everything that was set took effect."
                : "What was read back took effect; " + Wording.plural(unread, "knob") + (unread == 1 ? " was" : " were")
                        + " not read back.";
    }

    private static Value cell(Seen s, String knob) {
        String set = s.set().get(knob).orElse("");
        String effective = s.effective().getOrDefault(knob, "");
        if (set.isEmpty()) {
            return Value.words(effective.isEmpty() ? Format.NONE : effective, Tone.QUIET);
        }
        if (s.unread(knob)) {
            return Value.words(set + " (not read back)");
        }
        return KnobValues.same(set, effective)
                ? Value.words(set)
                : Value.words("set " + set + ", effective " + effective, Tone.CAUTION);
    }

    /** One trial for each group in the plots, and up to two in which a value did not take effect. */
    private List<Seen> representatives() {
        var seen = new LinkedHashMap<String, Seen>();
        for (var group : TrialGroups.of(run)) {
            group.trials().stream()
                    .filter(o -> o.evidence().isPresent())
                    .findFirst()
                    .ifPresent(o -> seen.putIfAbsent(group.name(), seen(group.name(), o)));
        }
        // a trial in which a value did not take effect matters more than another that worked
        run.outcomes().stream()
                .filter(o -> o.evidence().isPresent())
                .filter(SetupSections::differs)
                .limit(2)
                .forEach(o -> seen.putIfAbsent("#" + o.ordinal(), seen("trial #" + o.ordinal(), o)));
        var all = new ArrayList<>(seen.values());
        while (all.size() > MOST_COLUMNS) {
            all.remove(1);
        }
        return all;
    }

    private static Seen seen(String name, TrialOutcome o) {
        var inForce = new TreeMap<>(o.spec().target().configured().asMap());
        inForce.keySet().removeAll(o.spec().setting().values().keySet()); // for these only the value read back counts
        inForce.putAll(o.evidence().map(Evidence::effective).orElse(Map.of()));
        return new Seen(name, o.spec().setting(), inForce);
    }

    private static boolean differs(TrialOutcome o) {
        Map<String, String> effective = o.evidence().map(Evidence::effective).orElse(Map.of());
        return o.spec().setting().values().entrySet().stream()
                .anyMatch(e -> !KnobValues.same(e.getValue(), effective.getOrDefault(e.getKey(), e.getValue())));
    }

    private Block environment() {
        Environment e = run.environment();
        // those of a server that Fettle does not start are its own: "target: server.cpus", where they are known
        String given = RunNotes.fresh(run.plan()) ? e.serverCpus() : "";
        List<Fact> facts =
                machine(e, new Fact("server's CPUs", given), new Fact("generator's CPUs", e.generatorCpus()));
        targetFacts().forEach((name, value) -> facts.add(new Fact("target: " + name, value)));
        var blocks = new ArrayList<Block>();
        blocks.add(new Block.Facts(facts));
        notes().ifPresent(blocks::add);
        return new Block.Section("environment", "Where it ran", blocks);
    }

    /**
     * Facts about the machine and its software; the list can be added to.
     *
     * @param cpus who has which of its CPUs
     */
    static List<Fact> machine(Environment e, Fact... cpus) {
        var facts = new ArrayList<Fact>();
        facts.add(new Fact("system", e.kernel()));
        facts.add(new Fact("processor", e.cpuModel()));
        facts.add(new Fact("CPUs", e.cpus() > 0 ? Integer.toString(e.cpus()) : ""));
        facts.addAll(List.of(cpus));
        facts.add(new Fact("memory", e.memory()));
        facts.add(new Fact("Fettle", e.fettleVersion()));
        facts.add(new Fact("Fettle's Java", e.fettleJava()));
        e.limits().forEach((name, value) -> facts.add(new Fact(name, value)));
        return facts;
    }

    /** Facts read from the targets; a fact with several values shows all of them. */
    private Map<String, String> targetFacts() {
        var values = new TreeMap<String, TreeSet<String>>();
        run.outcomes().stream().flatMap(o -> o.evidence().stream()).forEach(e -> {
            var told = new TreeMap<>(e.facts());
            cpus(told, "server.cpus", e.cpus().server());
            cpus(told, "generator.cpus", e.cpus().generator());
            told.forEach(
                    (k, v) -> values.computeIfAbsent(k, x -> new TreeSet<>()).add(v));
        });
        var facts = new TreeMap<String, String>();
        values.forEach((k, v) -> facts.put(k, v.size() <= 3 ? String.join(" · ", v) : v.size() + " different values"));
        return facts;
    }

    private static void cpus(Map<String, String> facts, String name, Set<Integer> cpus) {
        if (!cpus.isEmpty()) {
            facts.put(name, CpuList.text(cpus));
        }
    }

    private Optional<Block> notes() {
        var notes = new TreeSet<String>();
        run.outcomes().stream().flatMap(o -> o.evidence().stream()).forEach(e -> notes.addAll(e.notes()));
        return notes.isEmpty()
                ? Optional.empty()
                : Optional.of(new Block.Points("What could not be read", List.copyOf(notes)));
    }
}
