package dev.fettle.cli.run;

import dev.fettle.cli.option.HostOption;
import dev.fettle.cli.option.Parse;
import dev.fettle.cli.option.UserFile;
import dev.fettle.cli.terminal.CliException;
import dev.fettle.cli.terminal.ExitCodes;
import dev.fettle.cli.terminal.Screen;
import dev.fettle.cli.terminal.StopOnSignal;
import dev.fettle.lab.agents.Agents;
import dev.fettle.lab.engine.LocalLoad;
import dev.fettle.lab.machine.Clock;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.port.LoadPort;
import dev.fettle.lab.remote.Destination;
import dev.fettle.lab.remote.HostPack;
import dev.fettle.lab.remote.HostProbe;
import dev.fettle.lab.remote.RemoteCommand;
import dev.fettle.lab.remote.RemoteRun;
import dev.fettle.lab.remote.Ssh;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.text.OneLine;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** Runs this command on another machine, by the same Fettle, with its options as they were given; its files come back. */
public final class OnHost {
    /** The program to reach others with, if it is not the {@code ssh} of the PATH. */
    private static final String SSH = "FETTLE_SSH";

    /** Options that name a file to be written, and whether it has to be new. */
    private static final Map<String, Boolean> WRITTEN =
            Map.of("--record", true, "--out", true, "--html", false, "--markdown", false, "--junit", false);

    private static final String SCRATCH = "--dir";

    /** After a signal: what was recorded comes back first. */
    private static final long TO_FETCH_SECONDS = 600;

    private OnHost() {}

    /**
     * Runs it to its end.
     *
     * @param missing a file that is to be written although no option names it: option and file
     * @return its exit code
     */
    public static int run(Destination to, CommandLine line, Screen screen, Map<String, Path> missing) {
        ParseResult parsed = line.getParseResult();
        var files = new ArrayList<Path>();
        var command = new RemoteCommand().add(line.getCommandName());
        for (OptionSpec option : new LinkedHashSet<>(parsed.matchedOptions())) {
            add(command, option, files);
        }
        missing.forEach((option, file) -> {
            UserFile.checkNothing(option, file);
            command.addFile(option, file, true);
            files.add(file);
        });
        UserFile.checkApart(files.toArray(Path[]::new));
        if (line.getCommandSpec().findOption(SCRATCH) != null) {
            command.addScratch(SCRATCH);
        }
        List<ArgSpec> named =
                parsed.matchedPositionals().stream().map(ArgSpec.class::cast).toList();
        if (!named.isEmpty()) {
            command.add("--");
            named.stream()
                    .distinct()
                    .flatMap(p -> p.originalStringValues().stream())
                    .forEach(command::add);
        }
        Thread here = Thread.currentThread();
        try (var _ = new StopOnSignal(TO_FETCH_SECONDS)) {
            return new RemoteRun(ssh(to), Clock.SYSTEM, screen.width())
                    .run(
                            HostPack.of(Machine.home(), System.getProperty("java.class.path")),
                            command,
                            text -> {
                                screen.result(text);
                                if (files.isEmpty() && screen.isGone()) {
                                    here.interrupt(); // who reads it has gone, as head does
                                }
                            },
                            text -> {
                                line.getErr().println(OneLine.of(text));
                                line.getErr().flush();
                            });
        } catch (LabException e) {
            throw new CliException(ExitCodes.ENVIRONMENT, String.valueOf(e.getMessage()), e);
        }
    }

    private static void add(RemoteCommand command, OptionSpec option, List<Path> files) {
        String name = option.longestName();
        if (name.equals(HostOption.ON)) {
            return;
        }
        if (name.equals(SCRATCH)) {
            throw Parse.usage("--dir is not used with --on: runs are kept on the machine where they are started");
        }
        if (option.arity().max() == 0) {
            boolean on = Boolean.TRUE.equals(option.getValue());
            command.add(option.negatable() && !on ? "--no-" + name.substring("--".length()) : name);
            return;
        }
        for (String value : option.originalStringValues()) {
            Boolean isNew = WRITTEN.get(name);
            if (isNew == null) {
                command.add(name + "=" + value);
                continue;
            }
            Path file = Path.of(value);
            if (isNew) {
                UserFile.checkNothing(name, file);
            } else {
                UserFile.checkWritable(name, file);
            }
            command.addFile(name, file, isNew);
            files.add(file);
        }
    }

    /** How a machine is reached. */
    private static Ssh ssh(Destination to) {
        return new Ssh(
                Optional.ofNullable(System.getenv(SSH))
                        .filter(s -> !s.isBlank())
                        .orElse("ssh"),
                to);
    }

    /**
     * Starts agents that send load.
     *
     * @param note takes what is said of the way there
     * @throws LabException if one can't be reached or lacks something
     */
    public static Agents agents(List<Destination> machines, Consumer<String> note)
            throws LabException, InterruptedException {
        return Agents.start(
                machines.stream().map(OnHost::ssh).toList(),
                HostPack.of(Machine.home(), System.getProperty("java.class.path")),
                Clock.SYSTEM,
                note);
    }

    /** Who sends a run's loads. */
    record Senders(LoadPort loads, Runnable end) implements AutoCloseable {
        /** The machines that a plan names, or this one. */
        static Senders of(Plan plan, Consumer<String> note) throws LabException, InterruptedException {
            if (plan.from().isEmpty()) {
                return new Senders(new LocalLoad(), () -> {});
            }
            Agents agents = agents(plan.from().stream().map(Parse::machine).toList(), note);
            return new Senders(agents, agents::close);
        }

        @Override
        public void close() {
            end.run();
        }
    }

    /** Looks at a machine. */
    public static HostProbe probe(Destination to) {
        return new HostProbe(ssh(to), Clock.SYSTEM, Machine.home());
    }
}
