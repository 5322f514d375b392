package dev.fettle.cli.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.fettle.cli.option.Parse;
import dev.fettle.cli.option.PrintOptions;
import dev.fettle.cli.terminal.CliException;
import dev.fettle.cli.terminal.ExitCodes;
import dev.fettle.model.knob.Knob;
import dev.fettle.model.knob.Knobs;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.text.Json;
import dev.fettle.report.knobs.KnobDocs;
import dev.fettle.report.knobs.KnobText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code fettle knobs}. */
@Command(
        name = "knobs",
        mixinStandardHelpOptions = true,
        header = "Lists what can be adjusted, or explains one knob.",
        description = {
            "",
            "Names, ranges, defaults, constraints, and how each is set and read back: embedded,",
            "standalone, with Spring Boot, on the JVM's command line."
        },
        footer = {
            "",
            "Examples:",
            "  fettle knobs",
            "  fettle knobs tomcat",
            "  fettle knobs tomcat threads.max",
            "  fettle knobs jvm.gc.pause",
            "  fettle knobs jetty --json",
            "",
            "Exit codes: 0 shown, 1 the output can't be written, 2 no such knob or server."
        })
@SuppressWarnings("NullAway.Init") // fields are set by picocli
public final class KnobsCommand implements Callable<Integer> {
    @Mixin
    private PrintOptions common;

    @Parameters(
            paramLabel = "WORD",
            arity = "0..2",
            completionCandidates = Candidates.class,
            description =
                    "A server (tomcat, jetty, undertow), a knob's name, or both. A server's own name will do: maxThreads.")
    private List<String> words = new ArrayList<>();

    @Option(names = "--markdown", description = "Print everything as Markdown (docs/knobs.md).")
    private boolean markdown;

    /** Candidates for completion. */
    static final class Candidates implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Stream.concat(Arrays.stream(ServerKind.values()).map(ServerKind::id), Knobs.names().stream())
                    .iterator();
        }
    }

    @Override
    public Integer call() throws CliException, JsonProcessingException {
        var screen = common.screen();
        if (markdown) {
            if (common.json || !words.isEmpty()) {
                throw Parse.usage("--markdown prints all knobs as a page: leave out "
                        + (common.json ? "--json" : "'" + words.getFirst() + "'"));
            }
            screen.result(KnobDocs.page());
            return ExitCodes.OK;
        }
        Optional<ServerKind> server = words.stream()
                .flatMap(w -> Arrays.stream(ServerKind.values()).filter(s -> s.id().equalsIgnoreCase(w)))
                .findFirst();
        List<String> names = words.stream()
                .filter(w -> Arrays.stream(ServerKind.values()).noneMatch(s -> s.id().equalsIgnoreCase(w)))
                .toList();
        if (names.size() > 1 || (names.isEmpty() && words.size() > 1)) {
            throw Parse.usage("one server and one knob at most, for example: fettle knobs tomcat threads.max");
        }
        var text = new KnobText(screen.width(), screen.colour());
        if (names.isEmpty()) {
            screen.result(
                    common.json
                            ? json(Knobs.all().stream()
                                    .filter(k ->
                                            server.map(s -> k.on(s).applies()).orElse(true))
                                    .toList())
                            : text.list(server));
            return ExitCodes.OK;
        }
        Knob knob = knob(names.getFirst());
        screen.result(common.json ? json(knob) : text.one(knob, server));
        return ExitCodes.OK;
    }

    private static Knob knob(String name) throws CliException {
        Optional<Knob> exact = Knobs.find(name).or(() -> Knobs.named(name).flatMap(Knobs::find));
        if (exact.isPresent()) {
            return exact.get();
        }
        if (name.equals(ServerKind.CHOICE)) {
            throw Parse.usage(
                    "server is in no server's configuration: it stands in a plan's target, and under 'knobs', server: ["
                            + String.join(", ", ServerKind.choice().choices())
                            + "] lets a tune choose");
        }
        Optional<String> meant = Knobs.nearest(name);
        throw Parse.usage("unknown knob or server '%s'%s (all of them: fettle knobs)"
                .formatted(name, meant.map(m -> "; did you mean '" + m + "'?").orElse("")));
    }

    private static String json(Object value) throws JsonProcessingException {
        return Json.mapper().writerWithDefaultPrettyPrinter().writeValueAsString(value);
    }
}
