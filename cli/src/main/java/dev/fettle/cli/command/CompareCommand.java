package dev.fettle.cli.command;

import dev.fettle.cli.option.CompareOptions;
import dev.fettle.cli.run.ExperimentKind;
import dev.fettle.model.plan.CompareAsked;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code fettle compare}. */
@Command(
        name = "compare",
        mixinStandardHelpOptions = true,
        header = "Compares variants with each other, interleaved, with paired intervals.",
        description = {
            "Runs blocks in random order on fresh processes (with --pid: in the running one). \"No difference shown\" is a normal"
                    + " result."
        },
        footer = {
            "",
            "Examples:",
            "  fettle compare examples/servers.yaml",
            "  fettle compare examples/overload.yaml",
            "  fettle compare pools.yaml --pid 12345 --live",
            "  fettle compare shop.yaml --fail-if-slower 3%%",
            "  fettle compare shop.yaml --variant old=shop-1.4.jar --variant new=shop-1.5.jar",
            "",
            "Exit codes: 0 an answer, also \"no difference shown\", 1 failed, 2 wrong arguments or plan,",
            "            4 not started, since it can't be valid here, or no trial was valid, 130 interrupted;",
            "            with --fail-if-slower 5 a variant is worse than the first, 6 it can't tell."
        })
@SuppressWarnings("NullAway.Init") // fields are set by picocli
public final class CompareCommand extends PlanCommand.Required {
    @Mixin
    private CompareOptions options;

    public CompareCommand() {
        super(ExperimentKind.COMPARE);
    }

    @Override
    Optional<CompareAsked> asked() {
        return options.asked();
    }
}
