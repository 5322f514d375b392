package dev.fettle.cli.command;

import dev.fettle.cli.option.CommonOptions;
import dev.fettle.cli.option.Parse;
import dev.fettle.cli.option.UserFile;
import dev.fettle.cli.run.ConfigPatch;
import dev.fettle.cli.run.ConfigVerification;
import dev.fettle.cli.run.ExperimentKind;
import dev.fettle.cli.run.RunStore;
import dev.fettle.cli.terminal.CliException;
import dev.fettle.cli.terminal.ExitCodes;
import dev.fettle.cli.terminal.Screen;
import dev.fettle.cli.terminal.StopOnSignal;
import dev.fettle.config.ConfigFile;
import dev.fettle.config.render.ConfigPlace;
import dev.fettle.lab.journal.RunRecord;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.Workspace;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.read.PlanException;
import dev.fettle.model.text.Secrets;
import dev.fettle.report.JsonFields;
import dev.fettle.report.RunReport;
import dev.fettle.report.recommend.RecommendedConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code fettle config}. */
@Command(
        name = "config",
        mixinStandardHelpOptions = true,
        header = "Writes the configuration that a tune or a comparison found, in the form your server takes.",
        description = {
            "",
            "Writes only knobs whose effect was shown, each with its old value, the reason for the change, and"
                    + " how to undo it. After 'no improvement shown' there is nothing to write, and it says so. After a"
                    + " comparison it writes what the fastest variant has and the first one lacks, if it was shown to"
                    + " be faster.",
            "",
            "Then it tries the result: it starts the real server from it and reads the values back. If one differs, or"
                    + " no server starts, the exit code is 5. Programs are run only as the run's plan file, unchanged, names"
                    + " them: if it is gone, the configuration is written and not tried."
        },
        footer = {
            "",
            "Examples:",
            "  fettle config",
            "  fettle config login-page-3 --for spring-boot",
            "  fettle config 3 --for systemd --out deploy/",
            "  fettle config --for kubernetes --all",
            "  fettle config --for wildfly --no-verify",
            "",
            "Exit codes: 0 written, or there is nothing to write,",
            "            1 failed, or --verify was asked for and can't be done,",
            "            2 wrong arguments, or no such run, 5 tried: a value differs, or no server starts,",
            "            130 interrupted."
        })
@SuppressWarnings("NullAway.Init") // fields are set by picocli
public final class ConfigCommand implements Callable<Integer> {
    private static final String TEXT = ".txt";

    @Mixin
    private CommonOptions common;

    @Mixin
    private CommonOptions.WhichRun run;

    @Option(
            names = "--for",
            paramLabel = "PLACE",
            completionCandidates = Places.class,
            description = "${COMPLETION-CANDIDATES}. Default: what the run's target is.")
    private @Nullable ConfigPlace place;

    @Option(
            names = "--all",
            description = "Also write what was the same in every trial, although nothing was shown about it.")
    private boolean all;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Write the files there. An existing file is never overwritten: that is an error.")
    private @Nullable Path out;

    @Option(
            names = "--verify",
            negatable = true,
            description =
                    "Always try the result, or never. Default: try it unless a distribution would have to be downloaded.")
    private @Nullable Boolean verify;

    @Option(
            names = "--run-kept-plan",
            description =
                    "Try it even if there is no unchanged plan file that says what is to be run, but only the journal. Only for a journal that"
                            + " is your own work.")
    private boolean kept;

    /** Candidates for completion. */
    static final class Places implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Arrays.stream(ConfigPlace.values()).map(ConfigPlace::id).iterator();
        }
    }

    @Override
    public Integer call() throws LabException, InterruptedException {
        var screen = common.screen();
        try (var store = RunStore.existing(common.dir)) {
            RunRecord record = store.find(run.name);
            if (ExperimentKind.of(record.kind()) == ExperimentKind.CAPACITY) {
                throw Parse.usage(record.id()
                        + " is a capacity search: it tries rates and no settings, so there is no configuration"
                        + " to write; a tune finds one");
            }
            RunReport found = store.report(record);
            RunReport report = ConfigVerification.complete(found, record, all);
            ConfigPlace wanted = place == null ? ConfigPlace.of(report.plan().target()) : place;
            RecommendedConfig config = config(report, wanted);
            List<ConfigFile> files =
                    ConfigPatch.patched(config.files(), report.plan().target(), config.setting(), config.about());
            if (report == found) {
                refuseWhatLacksSecrets(files, record);
            }
            if (out != null) {
                write(files, out, screen);
            }
            if (!common.json && files.isEmpty()) {
                screen.result(nothing(config, wanted));
            } else if (!common.json && out == null) {
                for (ConfigFile f : files) {
                    screen.result((f.whole() ? "── " : "── in ") + f.path() + "\n" + f.text());
                }
            }
            Optional<ConfigVerification> tried = verified(store, record, wanted, files, config.setting(), screen);
            if (common.json) {
                screen.result(json(report, wanted, config, files, tried));
            } else {
                tried.ifPresent(t -> screen.result(t.text()));
            }
            if (tried.isPresent() && tried.get().refuted()) {
                return ExitCodes.CONDITION_MET;
            }
            boolean insisted = Boolean.TRUE.equals(verify) && tried.isPresent();
            return insisted && tried.get().verdict().isEmpty() ? ExitCodes.FAILED : ExitCodes.OK;
        }
    }

    /** A command, or a file that it reads, can't be written without its secrets, which the journal does not have. */
    private static void refuseWhatLacksSecrets(List<ConfigFile> files, RunRecord record) {
        files.stream()
                .filter(f -> f.kind() == ConfigFile.Kind.COMMAND_LINE || f.kind() == ConfigFile.Kind.TEMPLATE)
                .filter(f -> f.text().contains(Secrets.MASK))
                .findFirst()
                .ifPresent(f -> {
                    throw new CliException(
                            ExitCodes.FAILED,
                            "%s: its secrets are not in the journal, and can't be taken from the plan %s: it is gone, or has changed"
                                    .formatted(f.path(), record.planFile()));
                });
    }

    private Optional<ConfigVerification> verified(
            RunStore store,
            RunRecord record,
            ConfigPlace wanted,
            List<ConfigFile> files,
            Setting setting,
            Screen screen)
            throws LabException, InterruptedException {
        if (files.isEmpty() || Boolean.FALSE.equals(verify)) {
            return Optional.empty();
        }
        boolean insist = Boolean.TRUE.equals(verify);
        try (Workspace.Lock _ = store.lock(screen::say);
                var _ = new StopOnSignal()) {
            return Optional.of(ConfigVerification.of(store, record, wanted, files, setting, insist, kept, screen));
        } catch (LabException | PlanException e) {
            if (insist) {
                throw e;
            }
            return Optional.of(new ConfigVerification(Optional.empty(), String.valueOf(e.getMessage())));
        }
    }

    private RecommendedConfig config(RunReport report, ConfigPlace wanted) {
        try {
            return new RecommendedConfig(report, wanted, all);
        } catch (IllegalArgumentException e) {
            throw new CliException(ExitCodes.USAGE, String.valueOf(e.getMessage()), e);
        }
    }

    private String nothing(RecommendedConfig config, ConfigPlace wanted) {
        Setting written = config.setting().without(ServerKind.CHOICE);
        return written.isDefault()
                ? "Nothing to write: " + config.headline() + (all ? "" : " (--all writes what was held in every trial)")
                : written + " has no place in " + wanted.id() + ", or is there already";
    }

    private static void write(List<ConfigFile> files, Path folder, Screen screen) {
        var taken = new HashSet<Path>();
        for (ConfigFile f : files) {
            Path path = folder.resolve(name(f)).normalize();
            if (!path.startsWith(folder.normalize())) { // what the journal calls it may be anything
                throw Parse.usage(f.path() + " would lie outside " + folder + ", and is not written");
            }
            if (!taken.add(path)) {
                path = folder.resolve(name(f) + TEXT); // another piece for the same file
            }
            try {
                Files.createDirectories(path.toAbsolutePath().getParent());
            } catch (IOException e) {
                throw UserFile.unwritable(path, e);
            }
            UserFile.createPrivate(path, f.text()); // it may have passwords
            screen.say((f.whole() ? "Wrote " : "Wrote what goes into " + f.path() + ": ") + path);
        }
    }

    private static String name(ConfigFile f) {
        // even a path on the machine such as /etc/systemd/… is put below the folder
        String relative = f.path().replaceFirst("^/", "").replace(' ', '-');
        // values to be put at an XPath are no XML
        return f.kind() == ConfigFile.Kind.OWN_FILE && relative.endsWith(".xml") ? relative + TEXT : relative;
    }

    private static String json(
            RunReport report,
            ConfigPlace place,
            RecommendedConfig config,
            List<ConfigFile> files,
            Optional<ConfigVerification> tried) {
        return new JsonFields()
                .put("run", report.runId(), "for", place.id(), "headline", config.headline())
                .each(
                        "knobs",
                        config.reasons(),
                        r -> new JsonFields()
                                .put("knob", r.knob(), "value", r.value())
                                .put("was", r.was(), "shown", r.shown()))
                .each(
                        "files",
                        files,
                        f -> new JsonFields()
                                .put("path", f.path(), "whole", f.whole())
                                .put("language", f.language(), "text", f.text()))
                .put("verified", tried.map(ConfigVerification::json))
                .document();
    }
}
