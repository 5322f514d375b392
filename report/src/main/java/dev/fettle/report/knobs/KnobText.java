package dev.fettle.report.knobs;

import dev.fettle.config.render.ConfigPlace;
import dev.fettle.model.knob.Knob;
import dev.fettle.model.knob.Knobs;
import dev.fettle.model.knob.NativeKnob;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.report.document.Block;
import dev.fettle.report.document.Block.Fact;
import dev.fettle.report.document.Table;
import dev.fettle.report.text.TextReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The catalogue of knobs for a terminal.
 *
 * @param width in columns
 * @param colour whether to use ANSI colours
 */
public record KnobText(int width, boolean colour) {
    /** One line per knob: all knobs, or those of a server with its names and defaults. */
    public String list(Optional<ServerKind> server) {
        var parts = new ArrayList<Block>();
        for (Knob.Part part : Knob.Part.values()) {
            List<Knob> knobs = Knobs.all().stream()
                    .filter(k -> k.part() == part)
                    .filter(k -> server.map(s -> k.on(s).applies()).orElse(true))
                    .toList();
            parts.add(new Block.Figures(
                    title(part, server), server.map(s -> onServer(knobs, s)).orElseGet(() -> overview(knobs))));
        }
        return text(parts).stripLeading() + "\nOne in full: fettle knobs "
                + server.map(s -> s.id() + " ").orElse("") + "threads.max\n";
    }

    private String text(List<Block> blocks) {
        return new TextReport(width, colour).blocks(blocks);
    }

    private static String title(Knob.Part part, Optional<ServerKind> server) {
        return switch (part) {
            case SERVER -> server.map(ServerKind::title).orElse("The servers");
            case JVM -> "The JVM";
            case PROCESS -> "The process";
        };
    }

    private static Table overview(List<Knob> knobs) {
        return Table.of(knobs)
                .words("knob", Knob::name)
                .words("on", KnobWords::servers)
                .words("about", Knob::about)
                .build();
    }

    private static Table onServer(List<Knob> knobs, ServerKind server) {
        return Table.of(knobs)
                .words("knob", Knob::name)
                .words("its name there", k -> KnobWords.name(k.on(server)))
                .words("default", k -> k.on(server).byDefault())
                .words("live", k -> KnobWords.live(k, k.on(server)) ? "live" : "")
                .words("about", Knob::about)
                .build();
    }

    /** One knob in detail, on one server or on all. */
    public String one(Knob knob, Optional<ServerKind> server) {
        var facts = new ArrayList<>(List.of(
                new Fact("values", KnobWords.values(knob)),
                new Fact("needs", KnobWords.needs(knob)),
                new Fact("must hold", KnobWords.constraint(knob)),
                new Fact("watch out", knob.watch())));
        boolean ofServer = knob.part() == Knob.Part.SERVER;
        if (!ofServer) {
            facts.addAll(alike(knob));
        }
        var blocks = new ArrayList<Block>();
        blocks.add(new Block.Section(
                "", "", new Block.Paragraph(KnobWords.sentence(knob.about())), new Block.Facts(facts)));
        (ofServer ? server.map(Stream::of).orElse(Stream.of(ServerKind.values())) : Stream.<ServerKind>empty())
                .map(s -> new Block.Section("", s.title(), on(knob, s)))
                .forEach(blocks::add);
        return knob.name() + "\n" + text(blocks);
    }

    /** What is so with every server. */
    private static List<Fact> alike(Knob knob) {
        NativeKnob any = knob.onAny();
        var facts = new ArrayList<>(List.of(new Fact("default", any.byDefault())));
        knob.option()
                .ifPresent(o -> facts.addAll(List.of(
                        new Fact("flag", KnobWords.flag(knob, o)),
                        new Fact("in Java", KnobWords.releases(o)),
                        new Fact(
                                "read back",
                                o.name().isEmpty() ? "the collector's switch" : KnobWords.jvmReadBack(o)))));
        knob.launch()
                .ifPresent(l -> facts.addAll(List.of(
                        new Fact("launched by", l.command().replace("{}", "VALUE")),
                        new Fact("read back", l.read()),
                        new Fact("systemd", l.systemd().isEmpty() ? "" : l.systemd() + "="),
                        new Fact("docker", l.docker()))));
        facts.add(new Fact("takes effect", KnobWords.live(knob, any) ? "live, or at the start" : "at the start"));
        facts.add(new Fact("not read", any.unread()));
        facts.add(new Fact("may differ", any.mayDiffer()));
        return facts;
    }

    private static Block on(Knob knob, ServerKind server) {
        NativeKnob n = knob.on(server);
        if (!n.applies()) {
            return new Block.Paragraph("not there: " + n.name());
        }
        var facts = new ArrayList<>(List.of(
                new Fact("called", n.name()),
                new Fact("default", KnobWords.defaults(n)),
                new Fact("embedded", KnobWords.embedded(n, server)),
                new Fact(ConfigPlace.config(server).standaloneTitle(), KnobWords.standalone(n, server)),
                new Fact("Spring Boot", KnobWords.boot(n)),
                new Fact("read back", KnobWords.readBack(knob, n)),
                new Fact("takes effect", n.live() ? "live" : "at the next start"),
                new Fact("MBean", n.mbean())));
        n.without().forEach((k, v) -> facts.add(new Fact("no effect", "with " + k + "=" + v)));
        return new Block.Facts(facts);
    }
}
