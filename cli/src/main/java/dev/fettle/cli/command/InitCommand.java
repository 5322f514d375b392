package dev.fettle.cli.command;

import dev.fettle.cli.option.Parse;
import dev.fettle.cli.option.UserFile;
import dev.fettle.cli.run.CiDraft;
import dev.fettle.cli.run.CiFiles;
import dev.fettle.cli.run.PlanCheck;
import dev.fettle.cli.run.PlanDraft;
import dev.fettle.cli.terminal.ExitCodes;
import dev.fettle.cli.terminal.Screen;
import dev.fettle.model.text.Units;
import java.io.Console;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code fettle init}. */
@Command(
        name = "init",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Writes a plan to start from, with comments.",
        description =
                "Inspects what is named: a Spring Boot jar, a WAR, the folder of a Tomcat or a Jetty, the id of a process, a"
                        + " URL; nothing: the bundled login page. On a terminal it asks for what no option says. The plan is checked as 'fettle"
                        + " check' does. With --ci also a CI file: a gate on pull requests, a history on main. An existing file is left alone.",
        footer = {
            "",
            "Examples:",
            "  fettle init target/shop.jar --path /login --clients 300",
            "  fettle init target/shop.jar --path /login --ci github",
            "  fettle init /opt/tomcat --goal 50ms --out shop.yaml",
            "  fettle init 12345 --path /",
            "  fettle init",
            "",
            "Exit codes: 0 written, 2 wrong arguments, or the file exists; also if the plan that was",
            "            written has mistakes."
        })
@SuppressWarnings("NullAway.Init") // fields are set by picocli
public final class InitCommand implements Callable<Integer> {
    private static final int MOST_CLIENTS = 60_000;

    @Spec
    private CommandSpec spec;

    @Parameters(
            paramLabel = "WHAT",
            arity = "0..1",
            description = "A jar, a WAR, a server's folder, a process id or a URL. Default: the bundled login page")
    private @Nullable String what;

    @Option(names = "--path", paramLabel = "PATH", description = "What users request. Default: the URL's, or /")
    private @Nullable String path;

    @Option(names = "--clients", paramLabel = "N", description = "How many users at once. Default: 100")
    private @Nullable Integer clients;

    @Option(
            names = "--goal",
            paramLabel = "GOAL",
            description = "throughput, or the longest p99 that is good: 50ms. Default: throughput")
    private @Nullable String goal;

    /** The plan of a folder: written without another name, and what {@code fettle tune} takes without one. */
    static final Path WRITTEN = Path.of("fettle.yaml");

    @Option(names = "--out", paramLabel = "FILE", description = "Where the plan is written. Default: fettle.yaml")
    private Path out = WRITTEN;

    @Option(
            names = "--ci",
            paramLabel = "PLATFORM",
            description =
                    "Also write a CI file: github, gitlab or jenkins. A plan that is there already is used as it is.")
    private CiDraft.@Nullable Platform ci;

    @Override
    public Integer call() throws InterruptedException {
        Console console = System.console();
        boolean asks = console != null && console.isTerminal();
        String target = what == null ? "" : what;
        if (PlanDraft.isUrl(target)) {
            Parse.url(target, Parse.IN_THE_PLAN);
        }
        boolean named = PlanDraft.namesPath(target);
        String request = answer(asks && !named ? console : null, path, "Path that users request", "/");
        String users =
                answer(asks ? console : null, clients == null ? null : clients.toString(), "Users at once", "100");
        String wanted = answer(asks ? console : null, goal, "Goal: throughput, or the longest good p99", "throughput");
        var screen = new Screen(spec.commandLine(), false, false);
        Path folder = out.toAbsolutePath().normalize().getParent();
        var files = ci == null || folder == null ? null : new CiFiles(CiDraft.root(folder), ci, out, target);
        boolean kept = files != null && Files.exists(out);
        if (!kept) {
            UserFile.create(
                    out, new PlanDraft(target, path(request), number(users), goal(wanted), Optional.of(out)).text());
        }
        if (!kept) {
            writeSchema(out);
        }
        screen.say(
                kept
                        ? out + " exists already and was left alone; the CI file uses it."
                        : "Written: " + out + ", and " + PlanDraft.SCHEMA + " for editors next to it");
        if (files != null) {
            files.write(screen);
        }
        PlanCheck check = PlanCheck.of(out, Set.of());
        screen.result(check.text(out, screen.width(), screen.colour()));
        return check.sound() ? ExitCodes.OK : ExitCodes.USAGE;
    }

    /** Next to the plan, whose first line names it. One that is there is of the same version. */
    private static void writeSchema(Path plan) {
        Path file = plan.resolveSibling(PlanDraft.SCHEMA);
        if (!Files.exists(file)) {
            UserFile.create(file, PlanDraft.schema());
        }
    }

    private static String answer(@Nullable Console console, @Nullable String given, String question, String otherwise) {
        if (given != null || console == null) {
            return given == null ? otherwise : given;
        }
        String line = console.readLine("%s [%s]: ", question, otherwise);
        return line == null || line.isBlank() ? otherwise : line.strip();
    }

    private static String path(String text) {
        if (!text.matches(PlanDraft.PATH)) {
            throw Parse.usage("--path " + text + ": a path begins with / and holds no blanks");
        }
        return text;
    }

    private static int number(String text) {
        if (!text.matches("[0-9]{1,5}") || Integer.parseInt(text) < 1 || Integer.parseInt(text) > MOST_CLIENTS) {
            throw Parse.usage("--clients " + text + ": 1 to " + MOST_CLIENTS + " are possible");
        }
        return Integer.parseInt(text);
    }

    private static String goal(String text) {
        if (text.equals("throughput")) {
            return text;
        }
        try {
            return Units.shortest(Units.duration(text));
        } catch (IllegalArgumentException e) {
            throw Parse.usage("--goal " + text + ": throughput, or a time such as 50ms");
        }
    }
}
