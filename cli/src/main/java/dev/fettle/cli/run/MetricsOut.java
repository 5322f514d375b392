package dev.fettle.cli.run;

import dev.fettle.cli.option.MetricsOptions.Asked;
import dev.fettle.cli.option.MetricsOptions.Receiver;
import dev.fettle.cli.terminal.Screen;
import dev.fettle.insight.Conclusion;
import dev.fettle.lab.LabListener;
import dev.fettle.lab.machine.Folders;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.OtlpSender;
import dev.fettle.lab.machine.OwnKey;
import dev.fettle.lab.measure.LiveWindow;
import dev.fettle.lab.source.Repository;
import dev.fettle.lab.web.Access;
import dev.fettle.lab.web.Answer;
import dev.fettle.lab.web.LoopbackServer;
import dev.fettle.load.Window;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.model.text.Format;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialStage;
import dev.fettle.model.trial.WatchPoint;
import dev.fettle.report.Wording;
import dev.fettle.report.table.LiveMetrics;
import dev.fettle.report.table.OtlpMetrics;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a watch or a load shows while it goes on, for other programs: at an address of this machine from which Prometheus fetches it, and sent to
 * a receiver of OpenTelemetry. The token of the address is the same each time, and lies in a file that only this user can read, which Prometheus
 * takes as {@code credentials_file}.
 */
public final class MetricsOut implements LabListener, AutoCloseable {
    private static final String PATH = "/metrics";
    private static final String OPEN_METRICS = "application/openmetrics-text";
    private static final String TOKEN = "metrics-token";
    private static final int LONGEST_ANSWER = 1000;

    private final Screen screen;
    private final long begun = System.nanoTime();
    private final LiveMetrics metrics;
    private Optional<LoopbackServer> page = Optional.empty();
    private Optional<OtlpSender> sender = Optional.empty();

    private MetricsOut(Screen screen, String about) {
        this.screen = screen;
        this.metrics = new LiveMetrics(about, System.currentTimeMillis());
    }

    /**
     * What the figures are of.
     *
     * @param command of Fettle
     * @param run its id, if it is kept
     * @param target in words
     */
    public record About(String command, Optional<String> run, String target) {}

    /**
     * Begins, and says where the figures are and go.
     *
     * @param asked nothing: it does nothing
     */
    public static MetricsOut open(Asked asked, About about, Screen screen) throws LabException {
        var out = new MetricsOut(screen, about.target());
        try {
            if (asked.serve().isPresent()) {
                out.serve(asked.serve().get(), Machine.state());
            }
            asked.send().ifPresent(to -> out.send(to, about));
            return out;
        } catch (LabException | RuntimeException e) {
            out.close();
            throw e;
        }
    }

    private void serve(InetSocketAddress at, Path state) throws LabException {
        String token = OwnKey.in(state).seal(List.of(TOKEN));
        Path file = state.resolve(TOKEN);
        try {
            Folders.writePrivate(file, token);
        } catch (IOException e) {
            throw new LabException("cannot write the token of --serve-metrics: " + file + ": " + e.getMessage(), e);
        }
        LoopbackServer opened = LoopbackServer.open(
                at,
                new Access.Bearer(token),
                r -> r.path().equals(PATH)
                        ? answer(r.header("accept"))
                        : Answer.plain(404, "the figures are at " + PATH));
        page = Optional.of(opened);
        screen.say(
                "metrics  " + opened.url(PATH) + "  with the header Authorization: Bearer, and the token in " + file);
    }

    private Answer answer(String accept) {
        boolean open = accept.contains(OPEN_METRICS);
        String type = open ? OPEN_METRICS + "; version=1.0.0" : "text/plain; version=0.0.4";
        return Answer.of(type + "; charset=utf-8", metrics.text(open));
    }

    private void send(Receiver to, About about) {
        Map<String, String> resource = new TreeMap<>();
        resource.put("service.name", "fettle");
        resource.put("service.version", Version.text());
        resource.put("fettle.command", about.command());
        resource.put("fettle.target", about.target());
        about.run().ifPresent(run -> {
            resource.put("fettle.run.id", run);
            resource.put("service.instance.id", run);
        });
        commit().ifPresent(c -> resource.put("vcs.ref.head.revision", c));
        resource.putAll(to.attributes());
        var request = new OtlpMetrics(metrics, resource, Version.text());
        sender = Optional.of(OtlpSender.start(to.at(), to.headers(), () -> {
            OtlpMetrics.Request r = request.request(System.currentTimeMillis());
            return new OtlpSender.Body(r.json(), r.points());
        }));
        screen.say("otlp  figures are sent to " + to.at()
                + (to.headers().isEmpty()
                        ? ""
                        : ", with " + Wording.plural(to.headers().size(), "header")));
    }

    /** The commit of the folder that Fettle was started in, if it is in a repository. */
    private static Optional<String> commit() {
        try {
            return Optional.of(Repository.of(Path.of("")).commit("HEAD"));
        } catch (LabException | IllegalArgumentException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    /** One more second of a watch. */
    public void add(WatchPoint point) {
        if (isOn()) {
            metrics.add(point.at(), point.values());
        }
    }

    /**
     * One more window of a load.
     *
     * @param labels of which
     */
    public void loaded(Map<String, String> labels, LiveWindow seen) {
        if (!isOn()) {
            return;
        }
        metrics.add((System.nanoTime() - begun) / 1e9, seen.figures());
        Window w = seen.window();
        var errors = new EnumMap<ErrorKind, Long>(ErrorKind.class);
        w.errors().forEach((kind, n) -> errors.put(kind, n.count()));
        metrics.answered(new LiveMetrics.Answers(labels, errors, w.latency()));
    }

    private boolean isOn() {
        return page.isPresent() || sender.isPresent();
    }

    @Override
    public void trialLoaded(int ordinal, TrialStage stage, LiveWindow seen) {
        loaded(Map.of("trial", Integer.toString(ordinal), "stage", stage.name().toLowerCase(Locale.ROOT)), seen);
    }

    @Override
    public void trialEnded(TrialOutcome outcome) {
        metrics.ended(Integer.toString(outcome.ordinal()), outcome.valid());
    }

    @Override
    public void concluded(Conclusion conclusion) {
        concluded(conclusion.headline());
    }

    /** It has its answer, in words. */
    public void concluded(String answer) {
        metrics.concluded(answer.length() <= LONGEST_ANSWER ? answer : answer.substring(0, LONGEST_ANSWER));
    }

    /** Sends a last time, and says what became of it. */
    @Override
    public void close() {
        page.ifPresent(LoopbackServer::close);
        page = Optional.empty();
        sender.ifPresent(s -> {
            s.close();
            OtlpSender.Sent all = s.sent();
            screen.say("otlp  " + Wording.plural(all.sent(), "request") + " sent"
                    + (all.dropped() == 0 ? "" : ", " + Format.whole(all.dropped()) + " dropped")
                    + (all.points() == 0 ? "" : ", " + Wording.plural(all.points(), "figure") + " lost")
                    + all.why().map(w -> ": " + w).orElse(""));
        });
        sender = Optional.empty();
    }
}
