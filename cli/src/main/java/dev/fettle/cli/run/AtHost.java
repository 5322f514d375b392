package dev.fettle.cli.run;

import dev.fettle.cli.terminal.ExitCodes;
import dev.fettle.lab.agents.AgentSide;
import dev.fettle.lab.agents.Agents;
import dev.fettle.lab.engine.LocalLoad;
import dev.fettle.lab.machine.Clock;
import dev.fettle.lab.remote.Heartbeats;
import dev.fettle.lab.remote.RemoteCommand;
import dev.fettle.lab.remote.RemoteRun;
import dev.fettle.lab.remote.RemoteTalk;
import dev.fettle.load.JitCompilers;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/** The other end of {@link OnHost}: a command that runs here for a Fettle on another machine, and ends when that is gone. */
public final class AtHost {
    private static final String NAME = "at-host";

    /** Names of the standard input, on which the other machine is heard. */
    private static final Set<String> BEATS = Set.of("-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0");

    /** So long an orderly end may take. */
    private static final long TO_END_MILLIS = 40_000;

    private AtHost() {}

    /** Whether these are the arguments of such a command: its name, a folder, and the word of a {@link RemoteCommand}. */
    public static boolean isMeant(String... args) {
        return args.length == 3 && args[0].equals(NAME);
    }

    /**
     * Says that it is up, listens to the other machine on the standard input, and ends this JVM when that wants it or is gone.
     *
     * @return the arguments of the command to run
     */
    public static String[] begin(String... args) {
        List<String> command;
        try {
            command = RemoteCommand.read(args[2], Path.of(args[1]));
        } catch (IOException | IllegalArgumentException e) {
            System.err.println("what is to be run can't be read: " + e.getMessage());
            System.exit(ExitCodes.FAILED);
            return args;
        }
        if (command.equals(List.of(Agents.COMMAND))) {
            System.out.print(RemoteTalk.MARK);
            System.out.flush();
            System.err.println(RemoteRun.UP + args[1]);
            // the standard output is the controller's: what is printed here must not get into it
            var out = new FileOutputStream(FileDescriptor.out);
            System.setOut(System.err);
            new AgentSide(
                            Clock.SYSTEM,
                            new LocalLoad(),
                            JitCompilers::workedNanos,
                            System.in,
                            out,
                            () -> Runtime.getRuntime().halt(RemoteRun.UNHEARD))
                    .serve();
            System.exit(ExitCodes.OK);
        }
        if (command.stream().anyMatch(BEATS::contains)) {
            System.err.println("the standard input is not read with --on");
            System.exit(ExitCodes.USAGE);
        }
        System.err.println(RemoteRun.UP + args[1]);
        new Heartbeats(Clock.SYSTEM, RemoteRun.SILENCE, () -> end(ExitCodes.INTERRUPTED), () -> end(RemoteRun.UNHEARD))
                .listen(System.in);
        return command.toArray(String[]::new);
    }

    private static void end(int code) {
        Thread.ofPlatform().daemon().name("fettle-halt").start(() -> {
            try {
                Thread.sleep(TO_END_MILLIS);
            } catch (InterruptedException e) {
                return;
            }
            Runtime.getRuntime().halt(code);
        });
        System.exit(code);
    }
}
