package dev.fettle.cli.run;

import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.remote.Destination;
import dev.fettle.lab.remote.HostFacts;
import dev.fettle.lab.remote.HostFacts.ClockOffset;
import dev.fettle.lab.remote.HostFacts.Problem;
import dev.fettle.lab.remote.HostFacts.Severity;
import dev.fettle.lab.remote.HostProbe;
import dev.fettle.model.text.Format;
import dev.fettle.report.JsonFields;
import dev.fettle.report.document.Block;
import dev.fettle.report.document.Checks;
import dev.fettle.report.document.Document;
import dev.fettle.report.document.Head;
import dev.fettle.report.document.Table;
import dev.fettle.report.document.Where;
import dev.fettle.report.text.TextReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** What several machines are like. */
public final class HostSurvey {
    private final List<Seen> all;

    private HostSurvey(List<Seen> all) {
        this.all = List.copyOf(all);
    }

    /**
     * A machine, or why it can't be reached.
     *
     * @param bandwidth bytes a second
     */
    private record Seen(
            Destination host,
            Optional<HostFacts> facts,
            Optional<ClockOffset> clock,
            OptionalDouble bandwidth,
            List<Problem> problems) {}

    /** Looks at one after the other, so that none is measured while another loads this machine. */
    public static HostSurvey of(List<Destination> hosts, Consumer<Destination> next) throws InterruptedException {
        var all = new ArrayList<Seen>();
        for (Destination host : hosts) {
            next.accept(host);
            all.add(look(host, OnHost.probe(host)));
        }
        return new HostSurvey(all);
    }

    private static Seen look(Destination host, HostProbe probe) throws InterruptedException {
        try {
            HostFacts facts = probe.facts();
            return new Seen(host, Optional.of(facts), probe.clock(), probe.bandwidth(), facts.problems());
        } catch (LabException e) {
            return new Seen(
                    host,
                    Optional.empty(),
                    Optional.empty(),
                    OptionalDouble.empty(),
                    List.of(new Problem(Severity.ERROR, "unreached", String.valueOf(e.getMessage()))));
        }
    }

    /** Whether Fettle can run on all of them. */
    public boolean usable() {
        return all.stream().flatMap(s -> s.problems().stream()).noneMatch(p -> p.severity() == Severity.ERROR);
    }

    /** For a terminal. */
    public String text(int width, boolean colour) {
        long fit = all.stream()
                .filter(s -> s.problems().stream().noneMatch(p -> p.severity() == Severity.ERROR))
                .count();
        var blocks = new ArrayList<Block>();
        List<Seen> reached = all.stream().filter(s -> s.facts().isPresent()).toList();
        if (!reached.isEmpty()) {
            blocks.add(new Block.Figures("", table(reached)));
        }
        List<String> problems = all.stream().flatMap(HostSurvey::lines).toList();
        if (!problems.isEmpty()) {
            blocks.add(new Block.Points("In the way:", problems));
        }
        String headline = fit == all.size()
                ? "Fettle can run on " + (all.size() == 1 ? "this machine." : "all of these machines.")
                : "Fettle can run on " + fit + " of " + all.size() + (all.size() == 1 ? " machine." : " machines.");
        var head = new Head(
                "hosts", List.of("hosts"), "", usable() ? "good" : "bad", headline, List.of(), List.of(), List.of());
        return new TextReport(width, colour).document(new Document(head, blocks, Checks.NONE));
    }

    private static Stream<String> lines(Seen seen) {
        return seen.problems().stream()
                .map(p -> (seen.facts().isEmpty() ? "" : seen.host() + ": ")
                        + (p.severity() == Severity.NOTE ? "note: " : "")
                        + p.text());
    }

    private static Table table(List<Seen> reached) {
        return Table.of(reached)
                .words("host", s -> s.host().text())
                .words("kernel", Where.IF_ROOM, s -> facts(s).kernel())
                .words("CPUs", s -> number(facts(s).cpus()))
                .words("busy", s -> share(facts(s).busy()))
                .words("stolen", Where.IF_ROOM, s -> share(facts(s).stolen()))
                .words("JDK", s -> facts(s).jdk().isEmpty() ? Format.NONE : facts(s).jdk())
                .words("memory", s -> bytes(facts(s).memory()))
                .words("disk", s -> bytes(facts(s).disk()))
                .words("clock", s -> s.clock().map(HostSurvey::clock).orElse(Format.NONE))
                .words(
                        "round trip",
                        s -> s.clock().map(c -> Format.time(c.roundTrip())).orElse(Format.NONE))
                .words(
                        "through ssh",
                        Where.IF_ROOM,
                        s -> s.bandwidth().isPresent()
                                ? Format.bytes(s.bandwidth().getAsDouble()) + "/s"
                                : Format.NONE)
                .build();
    }

    private static HostFacts facts(Seen seen) {
        return seen.facts().orElseThrow();
    }

    private static String clock(ClockOffset clock) {
        Duration offset = clock.offset();
        String size = Format.time(offset.abs());
        return (offset.isNegative() ? "-" : "+") + size + " ± " + Format.time(clock.error());
    }

    private static String number(OptionalLong n) {
        return n.isPresent() ? String.valueOf(n.getAsLong()) : Format.NONE;
    }

    private static String share(OptionalDouble share) {
        return share.isPresent() ? Format.share(share.getAsDouble()) : Format.NONE;
    }

    private static String bytes(OptionalLong bytes) {
        return bytes.isPresent() ? Format.bytes(bytes.getAsLong()) : Format.NONE;
    }

    /** For programs: a machine an object. */
    public String json() {
        return JsonFields.document(all.stream().map(HostSurvey::row).toList());
    }

    private static JsonFields row(Seen seen) {
        var row = new JsonFields()
                .put("host", seen.host().text(), "reached", seen.facts().isPresent());
        seen.facts()
                .ifPresent(f -> row.put("kernel", f.kernel(), "cpus", f.cpus())
                        .put("busyShare", f.busy(), "stolenShare", f.stolen())
                        .put("busiest", f.busiest(), "jdk", f.jdk(), "jdks", f.jdks())
                        .put("memoryFreeBytes", f.memory(), "diskFreeBytes", f.disk(), "openFilesLimit", f.files())
                        .put("governor", f.governor(), "mtu", f.mtu()));
        seen.clock()
                .ifPresent(c -> row.millis("clockOffsetMillis", c.offset().toNanos())
                        .millis("clockErrorMillis", c.error().toNanos())
                        .millis("roundTripMillis", c.roundTrip().toNanos()));
        return row.put("sshBytesPerSecond", seen.bandwidth())
                .each(
                        "problems",
                        seen.problems(),
                        p -> new JsonFields().put("severity", p.severity(), "id", p.id(), "text", p.text()));
    }
}
