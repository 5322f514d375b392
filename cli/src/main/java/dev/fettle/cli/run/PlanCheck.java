package dev.fettle.cli.run;

import dev.fettle.cli.terminal.CliException;
import dev.fettle.insight.audit.Preflight;
import dev.fettle.lab.machine.HostGuard;
import dev.fettle.lab.machine.Jdks;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.LimitCheck;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.read.PlanException;
import dev.fettle.model.read.Problem;
import dev.fettle.model.target.Target;
import dev.fettle.report.JsonFields;
import dev.fettle.report.Wording;
import dev.fettle.report.document.Block;
import dev.fettle.report.document.Checks;
import dev.fettle.report.document.Document;
import dev.fettle.report.document.Head;
import dev.fettle.report.document.Tone;
import dev.fettle.report.text.TextReport;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Checks a plan on this machine and says what each command would do with it. Nothing is started, loaded or changed.
 *
 * @param problems everything that would stop a run, with the run's messages
 * @param notes what does not stop it
 * @param experiments what each command that can run the plan would do
 * @param lacking commands that can't run the plan, and why
 */
public record PlanCheck(
        List<String> problems, List<String> notes, Map<String, String> experiments, Map<String, String> lacking) {
    private static final List<ExperimentKind> KINDS =
            List.of(ExperimentKind.TUNE, ExperimentKind.SWEEP, ExperimentKind.COMPARE, ExperimentKind.DIAGNOSE);

    public PlanCheck {
        problems = List.copyOf(problems);
        notes = List.copyOf(notes);
    }

    /**
     * Checks a plan.
     *
     * @param ownHosts hosts other than this machine that may be loaded
     */
    public static PlanCheck of(Path file, Set<String> ownHosts) throws InterruptedException {
        var machine = new Machine();
        Plan plan;
        try {
            plan = machine.planReader().read(file);
        } catch (PlanException e) {
            return new PlanCheck(e.problems().stream().map(Problem::toString).toList(), List.of(), Map.of(), Map.of());
        }
        var problems = new ArrayList<String>();
        var notes = new LinkedHashSet<String>();
        jdks(plan, problems);
        place(plan.target(), ownHosts, problems);
        Preflight.Found limits =
                LimitCheck.run(machine.proc(), machine.cpus(), plan.target(), plan.load(), plan.hold());
        limits.refused().forEach(r -> problems.add("on this machine: " + r));
        notes.addAll(limits.warnings());
        if (machine.hasOneCpu()) {
            notes.add("this machine has one CPU: target and generator share it, so figures only compare settings");
        }
        var can = new LinkedHashMap<String, String>();
        var lacking = new LinkedHashMap<String, String>();
        for (ExperimentKind kind : KINDS) {
            try {
                kind.experiment(plan);
                can.put(kind.id(), body(Announcement.text(kind, plan, "", machine.cpus())));
            } catch (CliException | IllegalArgumentException e) {
                lacking.put(kind.id(), String.valueOf(e.getMessage()));
            }
        }
        plan.effectiveSlo()
                .ifPresentOrElse(
                        slo -> can.put("capacity", "  finds the highest rate that meets " + slo + "\n"),
                        () -> lacking.put(
                                "capacity", "the plan '" + plan.name() + "' has no SLO: add 'slo: p99<50ms'"));
        return new PlanCheck(problems, List.copyOf(notes), can, lacking);
    }

    /** Without the line that names the run. */
    private static String body(String announcement) {
        return announcement.lines().skip(1).collect(Collectors.joining("\n", "", "\n"));
    }

    private static void jdks(Plan plan, List<String> problems) {
        var wanted = new LinkedHashSet<Optional<String>>();
        wanted.add(plan.target().jvm().java());
        plan.values(Target.Jvm.JDK).forEach(j -> wanted.add(Optional.of(j)));
        for (Optional<String> java : wanted) {
            try {
                Jdks.system().java(java);
            } catch (LabException e) {
                problems.add(String.valueOf(e.getMessage()));
            }
        }
    }

    private static void place(Target target, Set<String> ownHosts, List<String> problems) {
        Optional<URI> url = target.url().filter(u -> !target.hasProcess());
        if (url.isPresent()) {
            try {
                HostGuard.check(url.get(), ownHosts);
            } catch (LabException e) {
                problems.add(String.valueOf(e.getMessage()));
            }
        }
        target.running()
                .filter(r -> ProcessHandle.of(r.pid()).isEmpty())
                .ifPresent(r -> problems.add("there is no process " + r.pid()));
    }

    /** Whether nothing would stop a run. */
    public boolean sound() {
        return problems.isEmpty();
    }

    /** The result as text. */
    public String text(Path file, int width, boolean colour) {
        return new TextReport(width, colour).document(document(file));
    }

    private Document document(Path file) {
        var blocks = new ArrayList<Block>();
        if (sound()) {
            experiments.forEach((kind, text) -> blocks.add(new Block.Snippet(
                    "fettle " + kind + " " + file, text.stripTrailing().stripIndent())));
            blocks.add(new Block.Points(
                    "Not possible with it:",
                    lacking.entrySet().stream()
                            .map(e -> e.getKey() + ": " + e.getValue())
                            .toList()));
        } else {
            problems.forEach(p -> blocks.add(new Block.Paragraph(p, Tone.BAD)));
        }
        var head = new Head(
                "check",
                List.of("check"),
                sound() ? "Sound" : "Not sound",
                sound() ? "good" : "bad",
                sound()
                        ? file + " is sound. Nothing was run."
                        : Wording.plural(problems.size(), "problem") + " with " + file + "; nothing was run.",
                List.of(),
                List.of(),
                notes);
        return new Document(head, blocks, Checks.NONE);
    }

    /** The result as JSON. */
    public String json(Path file) {
        return new JsonFields()
                .put("plan", file.toString(), "sound", sound())
                .put("problems", problems, "notes", notes)
                .each(
                        "experiments",
                        experiments.entrySet(),
                        e -> new JsonFields()
                                .put("kind", e.getKey(), "about", e.getValue().strip()))
                .each(
                        "notPossible",
                        lacking.entrySet(),
                        e -> new JsonFields().put("kind", e.getKey(), "why", e.getValue()))
                .document();
    }
}
