package dev.fettle.cli.assist;

import dev.fettle.cli.assist.Tool.Effect;
import dev.fettle.cli.assist.Tool.Own;
import java.util.List;
import java.util.stream.Stream;

/**
 * The commands that an assistant may call. None takes {@code --own-host}: what is loaded is on this machine. None writes a file but the
 * journal.
 */
final class Tools {
    private static final List<String> CONNECTIONS =
            List.of("connections", "timeout", "header", "method", "body", "no-keep-alive");

    static final List<Tool> ALL = List.of(
            new Tool(
                    "bench",
                    "bench",
                    "Load-tests a URL of this machine, and says whether the figures are valid. Closed model, or open with"
                            + " a rate.",
                    with(CONNECTIONS, "duration", "rate", "requests", "think", "pid", "fail-if", "no-dump"),
                    Own.needed("url"),
                    List.of(),
                    Effect.LOADS),
            new Tool(
                    "capacity",
                    "capacity",
                    "Finds the highest rate at which a URL of this machine, or a plan's program, meets an objective (slo), with"
                            + " an interval.",
                    List.of("slo", "at-least", "budget", "precision", "pid", "no-dump"),
                    Own.needed("what"),
                    List.of(),
                    Effect.RUNS),
            new Tool(
                    "watch",
                    "watch",
                    "Looks at a running server of this machine once, without load: threads, CPU by group, heap, collections,"
                            + " connections, queues; and of each figure that can't be read, why.",
                    List.of("pid", "url", "no-dump"),
                    Own.NONE,
                    List.of("--once"),
                    Effect.READS),
            new Tool(
                    "observe",
                    "diagnose",
                    "Names what limits a running server of this machine (pid) now, under the traffic that it has. Sends"
                            + " nothing and sets nothing.",
                    List.of("pid", "for", "no-dump"),
                    Own.NONE,
                    List.of("--no-load"),
                    Effect.READS),
            new Tool(
                    "diagnose",
                    "diagnose",
                    "Names what limits a server, or is broken in it, with the test that could refute it. What: a URL of this"
                            + " machine, which is loaded; a plan, whose program is run and loaded; a run of the journal; or a"
                            + " file: thread dumps, a GC log, a recording.",
                    with(CONNECTIONS, "pid", "for", "at", "trial", "no-test", "no-dump"),
                    Own.needed("what"),
                    List.of(),
                    Effect.RUNS),
            new Tool(
                    "gate",
                    "gate",
                    "Is a build slower than another? Runs both programs (old, then new: jars or WARs) on this machine, loads"
                            + " them in turn, and answers no worse, worse or can't tell.",
                    List.of("path", "connections", "rate", "time", "allow", "answers-may-differ"),
                    Own.needed("programs"),
                    List.of(),
                    Effect.RUNS),
            new Tool(
                    "audit",
                    "audit",
                    "Judges settings in files or a text (server.xml, sysctl.conf, JVM options, Dockerfile, an article), of a"
                            + " running JVM (pid), or of this host: what is fatal, removed, useless, and what to write instead.",
                    List.of("pid", "all", "jdk", "kernel", "server"),
                    Own.FILES,
                    List.of(),
                    Effect.READS),
            new Tool(
                    "judge",
                    "judge",
                    "Says whether published load-test results can be true: from the output of ab, wrk, k6, JMeter or others,"
                            + " or from single figures.",
                    List.of("clients", "rate", "mean", "max", "percentile", "think", "duration", "responses", "failed"),
                    Own.FILES,
                    List.of(),
                    Effect.READS),
            new Tool("runs", "runs", "Lists the runs in the journal.", List.of(), Own.NONE, List.of(), Effect.READS),
            new Tool(
                    "show",
                    "show",
                    "Shows a run of the journal again.",
                    List.of(),
                    Own.needed("run"),
                    List.of(),
                    Effect.READS));

    private Tools() {}

    private static List<String> with(List<String> some, String... more) {
        return Stream.concat(some.stream(), Stream.of(more)).toList();
    }
}
