package dev.fettle.cli.run;

import dev.fettle.cli.option.LivePageOptions;
import dev.fettle.cli.page.LivePage;
import dev.fettle.cli.terminal.Screen;
import dev.fettle.insight.Conclusion;
import dev.fettle.insight.Experiment;
import dev.fettle.insight.gate.ValidityGate;
import dev.fettle.lab.LabListener;
import dev.fettle.lab.journal.RunRecord;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.measure.LiveWindow;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.plan.Redaction;
import dev.fettle.model.text.OneLine;
import dev.fettle.model.trial.Timeline;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialStage;
import dev.fettle.model.trial.Verdict;
import dev.fettle.report.RunReport;
import dev.fettle.report.UnderWay;
import dev.fettle.report.html.HtmlPage;
import dev.fettle.report.html.HtmlReport;
import dev.fettle.report.html.LiveState;
import dev.fettle.report.runs.ListedRun;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The page of a run that goes on, if one is wanted: the trials that have ended, and the one that is under way. */
final class RunPage implements LabListener, AutoCloseable {
    private static final Duration PACE = Duration.ofSeconds(1);
    private static final List<LiveState.Button> BUTTONS = List.of(LiveState.Button.STOP, LiveState.Button.MARK);

    private final Optional<LivePage> page;
    private final RunRecord run;
    private final Plan plan;
    private final RunStore store;
    private final RunProgress progress;
    private final Experiment experiment;
    private final Thread lab = Thread.currentThread();
    private volatile List<TrialOutcome> outcomes;
    private volatile Optional<UnderWay> now = Optional.empty();
    private long next = System.nanoTime();

    /** What would be concluded from so many trials; by the page's threads, one at a time. */
    private Optional<Concluded> concluded = Optional.empty();

    private record Concluded(int trials, Optional<Conclusion> what) {}

    /**
     * Opens it, and says where it is. The button to stop interrupts this thread, as Ctrl-C does.
     *
     * @param experiment another than the one that decides: this one is only asked what would be concluded
     * @param before trials that ended before
     */
    RunPage(
            LivePageOptions wanted,
            Screen screen,
            RunRecord run,
            Plan plan,
            RunStore store,
            Experiment experiment,
            List<TrialOutcome> before)
            throws LabException {
        this.run = run;
        this.plan = Redaction.of(plan);
        this.store = store;
        this.experiment = experiment;
        this.outcomes = List.copyOf(before);
        this.progress = new RunProgress();
        this.page = LivePage.open(wanted, screen, drawing(outcomes, now), this::act);
    }

    boolean isOpen() {
        return page.isPresent();
    }

    @Override
    public void trialBegins(int ordinal, Experiment.Step.Run step) {
        progress.trialBegins(ordinal, step);
        now = Optional.of(new UnderWay(ordinal, step.purpose(), Timeline.NONE, List.of()));
        show("trial " + ordinal + ": " + step.purpose());
    }

    @Override
    public void trialGoesOn(Progress p) {
        page.ifPresent(open -> open.doing(progress.line(p)));
    }

    @Override
    public void trialLoaded(int ordinal, TrialStage stage, LiveWindow seen) {
        if (page.filter(LivePage::isFollowed).isEmpty() || System.nanoTime() - next < 0) {
            return;
        }
        next = System.nanoTime() + PACE.toNanos();
        Timeline all = seen.watch().timeline();
        now = Optional.of(new UnderWay(
                ordinal,
                progress.purpose(ordinal),
                all,
                ValidityGate.soFar(all).stream().map(Verdict.Reason::message).toList()));
        page.ifPresent(p -> p.show(p.doing(), BUTTONS, drawing(outcomes, now)));
    }

    @Override
    public void trialEnded(TrialOutcome outcome) {
        progress.trialEnded(outcome);
        var all = new ArrayList<>(outcomes);
        all.add(outcome);
        outcomes = List.copyOf(all);
        now = Optional.empty();
        show("trial " + outcome.ordinal() + " has ended");
    }

    private void show(String doing) {
        page.ifPresent(p -> p.show(doing, BUTTONS, drawing(outcomes, now)));
    }

    private Function<HtmlReport, HtmlPage> drawing(List<TrialOutcome> ended, Optional<UnderWay> trial) {
        return renderer -> renderer.soFar(report(ended), trial);
    }

    private RunReport report(List<TrialOutcome> ended) {
        return new RunReport(
                run.id(),
                run.kind(),
                plan,
                run.started(),
                Duration.between(run.started(), Instant.now()).truncatedTo(ChronoUnit.SECONDS),
                HostFacts.environment(run.environment()),
                ended,
                soFar(ended),
                false);
    }

    private synchronized Optional<Conclusion> soFar(List<TrialOutcome> ended) {
        if (concluded.filter(c -> c.trials() == ended.size()).isEmpty()) {
            concluded = Optional.of(new Concluded(ended.size(), experiment.soFar(ended)));
        }
        return concluded.orElseThrow().what();
    }

    private synchronized String act(LiveState.Button button, String note) {
        boolean stop = button == LiveState.Button.STOP;
        String what = stop ? "stopped" : OneLine.of(note).strip();
        if (what.isEmpty()) {
            return "A mark needs a note.";
        }
        String mark = LocalTime.now().truncatedTo(ChronoUnit.SECONDS)
                + now.map(u -> " trial " + u.ordinal()).orElse("") + ": " + what;
        String said;
        try {
            RunMarks.change(
                    store.workspace().folder(),
                    run.id(),
                    before -> new ListedRun.Marks(
                            before.tags(), before.note().isEmpty() ? mark : before.note() + "; " + mark));
            said = "Noted: " + mark;
        } catch (IllegalArgumentException | LabException e) {
            said = "Not noted: " + e.getMessage();
        }
        if (stop) {
            lab.interrupt();
            return "Stopping; what was measured is kept.";
        }
        return said;
    }

    /** It becomes the report, and stays as long as was asked for. */
    void end(RunReport report) {
        page.ifPresent(p -> {
            p.end(r -> r.page(report));
            p.stay();
        });
    }

    @Override
    public void close() {
        page.ifPresent(LivePage::close);
    }
}
