package dev.fettle.report.knobs;

import dev.fettle.model.knob.Knob;
import dev.fettle.model.knob.Knobs;
import dev.fettle.model.knob.NativeKnob;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.report.Markdown;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Generates {@code docs/knobs.md} from the catalogue. */
public final class KnobDocs {
    private static final String HEAD = """
            # Knobs

            <!-- Generated from the knob catalogue by `fettle knobs --markdown`; a test keeps it up to date. Do not edit. -->

            Every knob has one name for all servers. The catalogue is data (`model/src/main/resources/dev/fettle/model/knobs`):
            plans, defaults, constraints, the embedded servers' adapters, read-back and pasted configuration all take it from
            there. `fettle knobs tomcat` lists a server's knobs, `fettle knobs tomcat threads.max` shows one in full.

            Versions: Tomcat 11.0 (10.1 and 9.0 have the same), Jetty 12.1 (12.0 without compression), Undertow 2.3; Spring Boot 3.5 and 4, Undertow with 3.5 only;
            JVM: HotSpot 17 to 25. WildFly's names, given for Undertow in place of a standalone server, are untested.

            **Live** knobs accept a new value while the server runs. A value that was set is read back from the running server,
            the kernel or the JVM before a trial measures anything; a difference ends the trial. Where a server can't be asked,
            the reason is given as *not read back*. A test sets every knob to a value other than its default on a real
            server of each kind, and reads it back.
            """;

    private KnobDocs() {}

    /** The whole page. */
    public static String page() {
        var out = new StringBuilder(HEAD);
        out.append('\n').append(counts()).append('\n');
        out.append("\n## All of them\n\n")
                .append(Markdown.head(Stream.concat(
                                Stream.of("knob"),
                                Arrays.stream(ServerKind.values()).map(ServerKind::title))
                        .toArray(String[]::new)));
        for (Knob k : Knobs.all()) {
            var cells = new ArrayList<>(List.of("[" + k.name() + "](#" + anchor(k) + ")"));
            for (ServerKind s : ServerKind.values()) {
                cells.add(cell(k, k.on(s)));
            }
            out.append(Markdown.row(cells.toArray(String[]::new)));
        }
        for (Knob.Part part : Knob.Part.values()) {
            out.append("\n## ")
                    .append(
                            switch (part) {
                                case SERVER -> "The servers";
                                case JVM -> "The JVM";
                                case PROCESS -> "The process";
                            });
            out.append('\n');
            Knobs.all().stream().filter(k -> k.part() == part).forEach(k -> section(out, k));
        }
        return out.toString();
    }

    /** How many knobs are read back. */
    private static String counts() {
        int read = 0;
        int unread = 0;
        int machine = 0;
        for (Knob k : Knobs.all()) {
            for (ServerKind s : ServerKind.values()) {
                NativeKnob n = k.on(s);
                boolean readable = KnobWords.readable(k, n);
                read += n.applies() && readable && n.mayDiffer().isEmpty() ? 1 : 0;
                unread += n.applies() && !readable ? 1 : 0;
                machine += n.applies() && !n.mayDiffer().isEmpty() ? 1 : 0;
            }
        }
        return "%d knobs; of the pairs of knob and server, %d are read back, %d can't be, and %d depend on the machine."
                .formatted(Knobs.all().size(), read, unread, machine);
    }

    private static String cell(Knob k, NativeKnob n) {
        if (!n.applies()) {
            return "–";
        }
        String live = KnobWords.live(k, n) ? ", live" : "";
        return (KnobWords.readable(k, n) ? "yes" : "yes, not read back") + live;
    }

    private static String anchor(Knob k) {
        return k.name().replace(".", "");
    }

    private static void section(StringBuilder out, Knob k) {
        out.append("\n### ").append(k.name()).append("\n\n").append(Markdown.text(KnobWords.sentence(k.about())));
        out.append(" Values: ").append(Markdown.text(KnobWords.values(k))).append(".\n\n");
        item(out, "Needs", Markdown.code(KnobWords.needs(k)));
        item(out, "Must hold", Markdown.text(KnobWords.constraint(k)));
        item(out, "Watch out", Markdown.text(k.watch()));
        if (k.part() == Knob.Part.SERVER) {
            servers(out, k);
            return;
        }
        NativeKnob any = k.onAny();
        item(out, "Default", Markdown.text(any.byDefault()));
        k.option().ifPresent(o -> {
            item(out, "Flag", Markdown.code(KnobWords.flag(k, o)));
            item(out, "In Java", KnobWords.releases(o));
            item(
                    out,
                    "Read back",
                    o.name().isEmpty() ? "" : Markdown.code(o.name()) + (o.atLeast() ? ", rounded up" : ""));
        });
        k.launch().ifPresent(l -> {
            item(out, "Launched by", Markdown.code(l.command().replace("{}", "VALUE")));
            item(out, "Read back", Markdown.text(l.read()));
            item(out, "systemd", Markdown.code(l.systemd()));
            item(out, "Docker", Markdown.code(l.docker()));
        });
        item(out, "Live", KnobWords.live(k, any) ? "yes" : "");
        item(out, "Not read back", Markdown.text(any.unread()));
        item(out, "May differ", Markdown.text(any.mayDiffer()));
    }

    private static void servers(StringBuilder out, Knob k) {
        out.append(out.charAt(out.length() - 2) == '\n' ? "" : "\n")
                .append(Markdown.head("", "default", "embedded", "standalone", "Spring Boot", "live"));
        for (ServerKind s : ServerKind.values()) {
            NativeKnob n = k.on(s);
            if (n.applies()) {
                out.append(Markdown.row(
                        s.title(),
                        Markdown.text(KnobWords.defaults(n)),
                        Markdown.code(KnobWords.embedded(n, s)),
                        Markdown.code(KnobWords.standalone(n, s)),
                        Markdown.code(n.boot()),
                        n.live() ? "yes" : ""));
            }
        }
        out.append('\n');
        for (ServerKind s : ServerKind.values()) {
            NativeKnob n = k.on(s);
            if (!n.applies()) {
                out.append("- ")
                        .append(Markdown.text(KnobWords.sentence(n.name())))
                        .append('\n');
            } else if (!n.unread().isEmpty()) {
                out.append("- ")
                        .append(s.title())
                        .append(KnobWords.readable(k, n) ? ", read back from the kernel: " : ", not read back: ")
                        .append(Markdown.text(n.unread()))
                        .append(".\n");
            }
            n.without()
                    .forEach((other, value) -> out.append("- ")
                            .append(s.title())
                            .append(": no effect with `")
                            .append(other)
                            .append('=')
                            .append(value)
                            .append("`.\n"));
        }
    }

    private static void item(StringBuilder out, String label, String text) {
        if (!text.isEmpty()) {
            out.append("- ").append(label).append(": ").append(text).append('\n');
        }
    }
}
