package dev.fettle.cli.command;

import dev.fettle.cli.option.Parse;
import dev.fettle.cli.option.PrintOptions;
import dev.fettle.cli.run.Machine;
import dev.fettle.cli.terminal.ExitCodes;
import dev.fettle.lab.guest.Debts;
import dev.fettle.lab.guest.PutBack;
import dev.fettle.lab.guest.ValueRestore;
import dev.fettle.lab.machine.LabException;
import dev.fettle.model.text.OneLine;
import dev.fettle.report.JsonFields;
import dev.fettle.watch.host.Proc;
import java.util.ArrayList;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code fettle put-back}. */
@Command(
        name = "put-back",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Puts back what a killed Fettle left changed in running processes.",
        description =
                "That is, live values that a trial had set, and recordings. Usually nothing is left: when Fettle is killed, its"
                        + " watchdog does the same within seconds. What is owed is kept in $XDG_STATE_HOME/fettle, or"
                        + " ~/.local/state/fettle, so it does not matter from which folder this is called. What a Fettle that"
                        + " is alive has set is left alone.",
        footer = {
            "",
            "Examples:",
            "  fettle put-back",
            "  fettle put-back --pid 12345     only in this process; also ends recordings that are owed nowhere",
            "  fettle put-back --json | jq '.[] | select(.state == \"failed\")'",
            "",
            "Exit codes: 0 put back, or nothing to put back, 1 something could not be put back,",
            "            2 wrong arguments, or there is no such process."
        })
@SuppressWarnings("NullAway.Init") // fields are set by picocli
public final class PutBackCommand implements Callable<Integer> {
    @Option(names = "--pid", paramLabel = "PID", description = "Only what is owed to this process.")
    private @Nullable Long pid;

    @Mixin
    private PrintOptions common;

    @Override
    public Integer call() throws LabException, InterruptedException {
        var proc = new Proc();
        var debts = new Debts(Machine.state(), proc);
        var all = new ArrayList<PutBack>();
        if (pid == null) {
            all.addAll(ValueRestore.putBack(debts, OptionalLong.empty()));
        } else {
            check(proc, pid);
            all.addAll(ValueRestore.putBack(debts, OptionalLong.of(pid)));
            ValueRestore.endRecordings(pid).ifPresent(all::add);
        }
        var screen = common.screen();
        if (common.json) {
            screen.result(
                    JsonFields.document(all.stream().map(PutBackCommand::row).toList()));
        } else {
            all.forEach(p -> screen.result(OneLine.of(p.text())));
            if (all.isEmpty()) {
                screen.result("nothing to put back" + (pid == null ? "" : " in process " + pid));
            }
        }
        return all.stream().anyMatch(p -> p.state() == PutBack.State.FAILED) ? ExitCodes.FAILED : ExitCodes.OK;
    }

    private static void check(Proc proc, long pid) {
        OptionalLong started = proc.startTicks(pid);
        if (started.isEmpty() || !proc.runs(pid, started.getAsLong())) {
            throw Parse.usage("there is no process " + pid);
        }
        if (!proc.user(Long.toString(pid)).equals(proc.user("self"))) {
            throw Parse.usage("process " + pid + " belongs to another user: run Fettle as that user");
        }
    }

    private static JsonFields row(PutBack each) {
        return new JsonFields()
                .put("pid", each.pid())
                .put("kind", each.kind().id())
                .put("state", each.state().id())
                .put("values", each.sorted(), "detail", each.detail());
    }
}
