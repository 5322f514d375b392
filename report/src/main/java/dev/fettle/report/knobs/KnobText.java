package dev.fettle.report.knobs;

import dev.fettle.config.render.ConfigPlace;
import dev.fettle.model.knob.JvmOption;
import dev.fettle.model.knob.Knob;
import dev.fettle.model.knob.Knobs;
import dev.fettle.model.knob.LaunchOption;
import dev.fettle.model.knob.NativeKnob;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.report.Wording;
import dev.fettle.report.text.TerminalStyle;
import dev.fettle.report.text.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The catalogue of knobs for a terminal.
 *
 * @param width in columns
 * @param colour whether to use ANSI colours
 */
public record KnobText(int width, boolean colour) {
    private static final int LABEL = 12;

    /** One line per knob: all knobs, or those of a server with its names and defaults. */
    public String list(Optional<ServerKind> server) {
        var out = new StringBuilder();
        for (Knob.Part part : Knob.Part.values()) {
            List<Knob> knobs = Knobs.all().stream()
                    .filter(k -> k.part() == part)
                    .filter(k -> server.map(s -> k.on(s).applies()).orElse(true))
                    .toList();
            out.append(out.isEmpty() ? "" : "\n")
                    .append(title(part, server))
                    .append('\n')
                    .append(server.map(s -> onServer(knobs, s)).orElseGet(() -> overview(knobs)));
        }
        return out.append("\nOne in full: fettle knobs ")
                .append(server.map(s -> s.id() + " ").orElse(""))
                .append("threads.max\n")
                .toString();
    }

    private static String title(Knob.Part part, Optional<ServerKind> server) {
        return switch (part) {
            case SERVER -> server.map(ServerKind::title).orElse("The servers");
            case JVM -> "The JVM";
            case PROCESS -> "The process";
        };
    }

    private String overview(List<Knob> knobs) {
        var table = new TextTable().words("knob").words("on").words("about");
        knobs.forEach(k -> table.row(TerminalStyle.PLAIN, k.name(), KnobWords.servers(k), k.about()));
        return table.render(width, "  ", colour);
    }

    private String onServer(List<Knob> knobs, ServerKind server) {
        var table = new TextTable()
                .words("knob")
                .words("its name there")
                .words("default")
                .words("live")
                .words("about");
        for (Knob k : knobs) {
            NativeKnob n = k.on(server);
            table.row(
                    TerminalStyle.PLAIN,
                    k.name(),
                    KnobWords.name(n),
                    n.byDefault(),
                    KnobWords.live(k, n) ? "live" : "",
                    k.about());
        }
        return table.render(width, "  ", colour);
    }

    /** One knob in detail, on one server or on all. */
    public String one(Knob knob, Optional<ServerKind> server) {
        var out = new ArrayList<String>();
        out.add(knob.name());
        line(out, "", KnobWords.sentence(knob.about()));
        line(out, "values", KnobWords.values(knob));
        if (!knob.needs().isEmpty()) {
            line(out, "needs", KnobWords.needs(knob));
        }
        line(out, "must hold", KnobWords.constraint(knob));
        line(out, "watch out", knob.watch());
        if (knob.part() == Knob.Part.SERVER) {
            for (ServerKind s : server.map(List::of).orElse(List.of(ServerKind.values()))) {
                out.add("");
                out.add("  " + s.title());
                server(out, knob, knob.on(s), s);
            }
        } else {
            NativeKnob any = knob.onAny();
            line(out, "default", any.byDefault());
            knob.option().ifPresent(o -> jvm(out, knob, o));
            knob.launch().ifPresent(l -> process(out, l));
            line(out, "takes effect", KnobWords.live(knob, any) ? "live, or at the start" : "at the start");
            line(out, "not read", any.unread());
            line(out, "may differ", any.mayDiffer());
        }
        return String.join("\n", out) + "\n";
    }

    private void server(List<String> out, Knob knob, NativeKnob n, ServerKind server) {
        if (!n.applies()) {
            line(out, "", "not there: " + n.name());
            return;
        }
        line(out, "called", n.name());
        line(out, "default", KnobWords.defaults(n));
        line(out, "embedded", KnobWords.embedded(n, server));
        line(out, ConfigPlace.config(server).standaloneTitle(), KnobWords.standalone(n, server));
        line(out, "Spring Boot", KnobWords.boot(n));
        line(out, "read back", KnobWords.readBack(knob, n));
        line(out, "takes effect", n.live() ? "live" : "at the next start");
        line(out, "MBean", n.mbean());
        n.without().forEach((k, v) -> line(out, "no effect", "with " + k + "=" + v));
    }

    private void jvm(List<String> out, Knob knob, JvmOption o) {
        line(out, "flag", KnobWords.flag(knob, o));
        line(out, "in Java", KnobWords.releases(o));
        line(out, "read back", o.name().isEmpty() ? "the collector's switch" : KnobWords.jvmReadBack(o));
    }

    private void process(List<String> out, LaunchOption l) {
        line(out, "launched by", l.command().replace("{}", "VALUE"));
        line(out, "read back", l.read());
        line(out, "systemd", l.systemd().isEmpty() ? "" : l.systemd() + "=");
        line(out, "docker", l.docker());
    }

    private void line(List<String> out, String label, String text) {
        if (text.isEmpty()) {
            return;
        }
        String indent = "  ";
        String head = indent + label + " ".repeat(Math.max(0, LABEL - label.length())) + "  ";
        String first = label.isEmpty() ? indent : head;
        for (String l : Wording.wrap(text, Math.max(20, width - first.length()))) {
            out.add(first + l);
            first = " ".repeat(first.length());
        }
    }
}
