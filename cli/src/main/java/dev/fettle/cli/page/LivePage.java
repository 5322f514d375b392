package dev.fettle.cli.page;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fettle.cli.option.LivePageOptions;
import dev.fettle.cli.terminal.Screen;
import dev.fettle.cli.terminal.StopOnSignal;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.web.Access;
import dev.fettle.lab.web.Answer;
import dev.fettle.lab.web.Events;
import dev.fettle.lab.web.LoopbackServer;
import dev.fettle.lab.web.Request;
import dev.fettle.model.text.Format;
import dev.fettle.report.html.HtmlPage;
import dev.fettle.report.html.HtmlReport;
import dev.fettle.report.html.LiveState;
import dev.fettle.report.html.PageChange;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The report of a result that isn't finished, for browsers. Who measures only hands over what there is, without waiting for anybody: it is
 * drawn when a browser asks, by that browser's thread, and seldom enough that drawing takes a small share of a CPU. All of the past is in
 * what is handed over, so a browser that comes late or again lacks nothing.
 */
public final class LivePage implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Least time from one drawing to the next. */
    private static final Duration PACE = Duration.ofSeconds(1);

    /** A drawing is followed by this many times its own length without one, at most {@link #LONGEST}. */
    private static final int REST = 25;

    private static final Duration LONGEST = Duration.ofSeconds(3);

    /** States that are kept: a browser that has one of them is sent the difference. */
    private static final int KEPT = 4;

    private static final Duration FOR_EVER = Duration.ofDays(365);
    private static final Duration TICK = Duration.ofMillis(100);

    private final HtmlReport renderer = new HtmlReport();
    private final LoopbackServer server;
    private final Screen screen;
    private final Optional<Duration> keep;
    private final BiFunction<LiveState.Button, String, String> acts;
    private volatile Shown shown;

    private final Deque<Drawn> drawn = new ArrayDeque<>();
    private long next = System.nanoTime();

    /** What was handed over last. */
    private record Shown(
            String doing, boolean ended, List<LiveState.Button> buttons, Function<HtmlReport, HtmlPage> page) {
        Shown doing(String now) {
            return new Shown(now, ended, buttons, page);
        }
    }

    /** A state that browsers may have. */
    private record Drawn(long version, Shown of, HtmlPage page, LiveState state, ObjectNode tree) {}

    private LivePage(
            int port,
            Optional<Duration> keep,
            Screen screen,
            Shown first,
            BiFunction<LiveState.Button, String, String> acts)
            throws LabException {
        this.shown = first;
        this.keep = keep;
        this.screen = screen;
        this.acts = acts;
        this.server = LoopbackServer.open(new InetSocketAddress("127.0.0.1", port), Access.Link.random(), this::answer);
    }

    /**
     * Opens it and says where, if it is wanted.
     *
     * @param first drawn until {@link #show}
     * @param acts does what a button asks, with its note, and says what came of it; called by several threads. Which buttons there are,
     *     {@link #show} says
     */
    public static Optional<LivePage> open(
            LivePageOptions options,
            Screen screen,
            Function<HtmlReport, HtmlPage> first,
            BiFunction<LiveState.Button, String, String> acts)
            throws LabException {
        OptionalInt port = options.port();
        return port.isEmpty()
                ? Optional.empty()
                : Optional.of(open(port.getAsInt(), options.keep(), screen, first, acts));
    }

    private static LivePage open(
            int port,
            Optional<Duration> keep,
            Screen screen,
            Function<HtmlReport, HtmlPage> first,
            BiFunction<LiveState.Button, String, String> acts)
            throws LabException {
        var page = new LivePage(port, keep, screen, new Shown("It begins.", false, List.of(), first), acts);
        screen.say("live page  " + page.server.link(false) + "\n  with buttons  " + page.server.link(true)
                + "\n  from another machine: ssh -L " + page.port() + ":127.0.0.1:" + page.port()
                + " HOST, then the same link");
        return page;
    }

    private int port() {
        return server.url("/").getPort();
    }

    /** Whether a browser follows it now: else nothing needs to be handed over but what stays true. */
    public boolean isFollowed() {
        return server.following() > 0;
    }

    /**
     * Hands over what there is.
     *
     * @param doing what is going on, in a few words
     * @param buttons that make sense now
     * @param page draws it; called later, by another thread, so what it reads must not change
     */
    public void show(String doing, List<LiveState.Button> buttons, Function<HtmlReport, HtmlPage> page) {
        shown = new Shown(doing, false, List.copyOf(buttons), page);
    }

    /** What was said last to be going on. */
    public String doing() {
        return shown.doing();
    }

    /** Only says what is going on. */
    public void doing(String now) {
        shown = shown.doing(now);
    }

    /** It is finished: this is the report. */
    public void end(Function<HtmlReport, HtmlPage> report) {
        shown = new Shown("This is the report.", true, List.of(), report);
    }

    /** Stays as long as was asked for; on a terminal, if nothing was asked for, until Ctrl-C. */
    public void stay() {
        Duration time = keep.orElse(screen.terminal() ? FOR_EVER : Duration.ZERO);
        if (time.isZero() || StopOnSignal.hasCome()) {
            return;
        }
        screen.say("The page stays " + (keep.isPresent() ? "for " + Format.time(time) : "until Ctrl-C") + ".");
        try {
            Thread.sleep(time);
        } catch (InterruptedException e) {
            // Ctrl-C: it ends
        }
    }

    // -- for browsers, by their threads ------------------------------------------------------------------------------

    private Answer answer(Request r) {
        if (r.isPost()) {
            return act(r);
        }
        return switch (r.path()) {
            case "/" -> {
                Drawn now = drawn();
                yield Answer.of(
                        "text/html; charset=utf-8",
                        renderer.live(now.page(), now.state(), r.secret().orElse("")));
            }
            case "/save" ->
                new Answer.Whole(
                        200,
                        "text/html; charset=utf-8",
                        renderer.render(drawn().page()).getBytes(StandardCharsets.UTF_8),
                        Map.of("Content-Disposition", "attachment; filename=\"fettle-report.html\""));
            case "/events" -> {
                long from = number(r.query().getOrDefault("from", ""));
                yield new Answer.Stream((id, atMost) -> after(id == Events.NONE ? from : id, atMost));
            }
            default -> Answer.plain(404, "there is no such page");
        };
    }

    private static long number(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            return Events.NONE;
        }
    }

    private Answer act(Request r) {
        return shown.buttons().stream()
                .filter(b -> r.path().equals("/act/" + b.id()))
                .findFirst()
                .map(b -> Answer.plain(200, acts.apply(b, r.body())))
                .orElseGet(() -> Answer.plain(409, "That can't be done now."));
    }

    private Optional<Events.Event> after(long id, Duration atMost) throws InterruptedException {
        long end = System.nanoTime() + atMost.toNanos();
        while (true) {
            Drawn now = drawn();
            if (now.version() != id) {
                return Optional.of(new Events.Event(
                        now.version(), "change", change(id, now).toString()));
            }
            if (System.nanoTime() - end >= 0) {
                return Optional.empty();
            }
            Thread.sleep(TICK);
        }
    }

    private synchronized JsonNode change(long from, Drawn to) {
        return drawn.stream()
                .filter(d -> d.version() == from)
                .findFirst()
                .map(d -> PageChange.between(d.tree(), to.tree()))
                .orElseGet(() -> PageChange.all(to.tree()));
    }

    /** The state of now, drawn again if there is something new and it is time. */
    private synchronized Drawn drawn() {
        @Nullable Drawn last = drawn.peekLast();
        Shown now = shown;
        if (last != null && (last.of() == now || System.nanoTime() - next < 0)) {
            return last;
        }
        long begin = System.nanoTime();
        @Nullable Drawn same = last != null && last.of().page() == now.page() ? last : null;
        HtmlPage page = same == null ? now.page().apply(renderer) : same.page();
        long version = last == null ? 0 : last.version() + 1;
        var state = new LiveState(version, now.ended(), now.doing(), now.buttons());
        ObjectNode tree = same == null ? tree(page) : JSON.createObjectNode().<ObjectNode>setAll(same.tree());
        tree.set("state", read(state.json().line()));
        var made = new Drawn(version, now, page, state, tree);
        drawn.addLast(made);
        if (drawn.size() > KEPT) {
            drawn.removeFirst();
        }
        long took = System.nanoTime() - begin;
        next = begin + took + Math.clamp(REST * took, PACE.toNanos(), LONGEST.toNanos());
        return made;
    }

    private static ObjectNode tree(HtmlPage page) {
        ObjectNode root = JSON.createObjectNode();
        root.put("title", page.title()).put("header", page.header());
        ArrayNode main = root.putArray("main");
        page.main().forEach(main::add);
        root.set("data", read(page.data()));
        return root;
    }

    private static JsonNode read(String json) {
        try {
            return JSON.readTree(json);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        server.close();
    }
}
