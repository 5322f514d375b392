package dev.fettle.cli.command;

import dev.fettle.cli.assist.AssistServer;
import dev.fettle.cli.assist.CommandRuns;
import dev.fettle.cli.run.Version;
import dev.fettle.cli.terminal.ExitCodes;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code fettle mcp}. */
@Command(
        name = "mcp",
        mixinStandardHelpOptions = true,
        header = "Lets an assistant call Fettle: a server of the Model Context Protocol on standard input and output.",
        description =
                "Tools: bench, capacity, watch, observe, diagnose, gate, audit, judge, runs, show. Each is a command of Fettle"
                        + " with some of its options, and answers with the command's JSON, its exit code, and what that"
                        + " means: a void result says so. Only this machine is loaded; no tool takes --own-host. The journal"
                        + " lies in the folder in which this is started. It ends when its input does.",
        footer = {
            "",
            "Examples:",
            "  {\"mcpServers\": {\"fettle\": {\"command\": \"/path/to/fettle\", \"args\": [\"mcp\"]}}}",
            "",
            "Exit codes: 0 the input ended, 2 wrong arguments, 143 stopped."
        })
@SuppressWarnings("NullAway.Init") // fields are set by picocli
public final class McpCommand implements Callable<Integer> {
    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        InputStream in = System.in;
        PrintStream out = System.out;
        // whatever else would write there, or read, must not come between
        System.setOut(System.err);
        System.setIn(InputStream.nullInputStream());
        var runs = CommandRuns.own(spec.root().userObject().getClass().getName());
        // a TERM signal ends the commands, too
        Runtime.getRuntime().addShutdownHook(new Thread(runs::close));
        new AssistServer(spec.root(), runs).serve(in, out, Version.text());
        return ExitCodes.OK;
    }
}
