package dev.fettle.cli.command;

import dev.fettle.cli.option.LivePageOptions;
import dev.fettle.cli.page.LivePage;
import dev.fettle.cli.terminal.Screen;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.measure.Bench;
import dev.fettle.model.load.Load;
import dev.fettle.model.text.Format;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.Timeline;
import dev.fettle.report.BenchReport;
import dev.fettle.report.WatchReport;
import dev.fettle.report.html.LiveState;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The page of a bench that goes on, if one is wanted. */
final class BenchView implements Consumer<Bench.Second>, AutoCloseable {
    private static final List<LiveState.Button> BUTTONS = List.of(LiveState.Button.STOP);

    private final Optional<LivePage> page;
    private final URI uri;
    private final String label;
    private final Load load;
    private final Instant started;

    private BenchView(Optional<LivePage> page, URI uri, String label, Load load, Instant started) {
        this.page = page;
        this.uri = uri;
        this.label = label;
        this.load = load;
        this.started = started;
    }

    /** Opens it, and says where it is. The button to stop interrupts this thread, as Ctrl-C does. */
    static BenchView open(LivePageOptions wanted, Screen screen, URI uri, String label, Load load, Instant started)
            throws LabException {
        Thread bench = Thread.currentThread();
        var nothing = new WatchReport(label, List.of(), Timeline.NONE);
        Optional<LivePage> page = LivePage.open(wanted, screen, r -> r.soFar(nothing), (button, note) -> {
            bench.interrupt();
            return "Stopping.";
        });
        return new BenchView(page, uri, label, load, started);
    }

    @Override
    public void accept(Bench.Second second) {
        page.ifPresent(p -> show(p, second));
    }

    private void show(LivePage to, Bench.Second second) {
        Measurement.Window w = second.window();
        String at = Format.seconds(w.at() + w.seconds());
        String doing = w.measured() ? at + " of " + Format.time(load.measure()) : at + ", warming up";
        if (!to.isFollowed()) {
            to.doing(doing);
            return;
        }
        Bench.SoFar now = second.soFar().get();
        Optional<Measurement> measured = now.measurement();
        if (measured.isEmpty()) {
            var watched =
                    new WatchReport(label, List.of("warming up"), now.evidence().timeline());
            to.show(doing, BUTTONS, r -> r.soFar(watched));
            return;
        }
        to.show(doing, BUTTONS, r -> {
            var result = new Bench.Result(
                    Duration.ZERO,
                    measured.get(),
                    now.evidence(),
                    false,
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty());
            return r.soFar(new BenchReport(
                    label,
                    load,
                    measured.get(),
                    now.evidence(),
                    BenchCommand.verdict(uri, load, result),
                    List.of(),
                    started));
        });
    }

    /** It becomes the report, and stays as long as was asked for. */
    void end(BenchReport report) {
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
