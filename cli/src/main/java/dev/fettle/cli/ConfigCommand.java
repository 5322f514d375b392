package dev.fettle.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fettle.lab.LabException;
import dev.fettle.model.Json;
import dev.fettle.model.Target;
import dev.fettle.report.ConfigFile;
import dev.fettle.report.ConfigFiles;
import dev.fettle.report.ConfigPlace;
import dev.fettle.report.RunReport;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code fettle config}. */
@Command(
        name = "config",
        mixinStandardHelpOptions = true,
        header = "Writes the configuration that a tune found, for the place where it goes.",
        description = {
            "",
            "Only knobs whose effect was shown are written; each with what it was, why it was changed, and how to",
            "undo it. After 'no improvement shown' there is nothing to write, and that is said."
        },
        footer = {
            "",
            "Examples:",
            "  fettle config",
            "  fettle config login-page-3 --for spring-boot",
            "  fettle config 3 --for systemd --out deploy/",
            "  fettle config --for kubernetes --all"
        })
@SuppressWarnings("NullAway.Init") // fields are set by picocli
final class ConfigCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private Common common;

    @Mixin
    private Common.WhichRun run;

    @Option(
            names = "--for",
            paramLabel = "PLACE",
            completionCandidates = Places.class,
            description = "${COMPLETION-CANDIDATES}. Default: what the run's target is.")
    private @Nullable String place;

    @Option(names = "--all", description = "Also what was held in every trial, of which nothing was shown.")
    private boolean all;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Write the files there; one that exists is left alone, and that is an error.")
    private @Nullable Path out;

    /** What completes on the command line. */
    static final class Places implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Arrays.stream(ConfigPlace.values()).map(ConfigPlace::id).iterator();
        }
    }

    @Override
    public Integer call() throws LabException, JsonProcessingException {
        var screen = new Screen(spec.commandLine(), common);
        RunReport report;
        try (var store = new RunStore(common.dir)) {
            report = store.report(store.find(run.name));
        }
        ConfigPlace wanted = place == null ? ConfigPlace.of(report.plan().target()) : place(place);
        ConfigFiles config = config(report, wanted);
        List<ConfigFile> files = patched(config, wanted, report.plan().target());
        if (out != null) {
            write(files, out, screen);
        }
        if (common.json) {
            screen.result(json(report, wanted, config, files));
        } else if (files.isEmpty()) {
            screen.result(nothing(config, wanted));
        } else if (out == null) {
            for (ConfigFile f : files) {
                screen.result((f.whole() ? "── " : "── in ") + f.path() + "\n" + f.text());
            }
        }
        return ExitCodes.OK;
    }

    /** Against a server.xml of the user's own, a patch takes the place of the fragment. */
    private static List<ConfigFile> patched(ConfigFiles config, ConfigPlace wanted, Target target) {
        List<ConfigFile> files = config.files();
        Optional<Path> own = OwnServerXml.of(target);
        if (wanted != ConfigPlace.TOMCAT || own.isEmpty() || config.setting().isDefault()) {
            return files;
        }
        String patch = OwnServerXml.patch(own.get(), config.setting());
        var all = new ArrayList<ConfigFile>();
        for (ConfigFile f : files) {
            if (!f.path().equals(ConfigFiles.SERVER_XML)) {
                all.add(f);
            } else if (!patch.isEmpty()) {
                all.add(new ConfigFile("fettle.patch", true, "diff", config.about() + patch));
            }
        }
        return all;
    }

    private ConfigFiles config(RunReport report, ConfigPlace wanted) {
        try {
            return new ConfigFiles(report, wanted, all);
        } catch (IllegalArgumentException e) {
            throw new CliException(ExitCodes.USAGE, String.valueOf(e.getMessage()), e);
        }
    }

    private String nothing(ConfigFiles config, ConfigPlace wanted) {
        return config.setting().isDefault()
                ? "Nothing to write: " + config.headline() + (all ? "" : " (--all writes what was held in every trial)")
                : config.setting() + " has no place in " + wanted.id() + ", or is there already";
    }

    private static ConfigPlace place(String name) {
        return Arrays.stream(ConfigPlace.values())
                .filter(p -> p.id().equals(name))
                .findFirst()
                .orElseThrow(() -> new CliException(
                        ExitCodes.USAGE,
                        "--for is one of "
                                + String.join(
                                        ", ",
                                        Arrays.stream(ConfigPlace.values())
                                                .map(ConfigPlace::id)
                                                .toList())
                                + ", not '" + name + "'"));
    }

    private static void write(List<ConfigFile> files, Path folder, Screen screen) {
        for (ConfigFile f : files) {
            // a path of the machine's own, such as /etc/systemd/…, lies below the folder, too
            String relative = f.path().replaceFirst("^/", "").replace(' ', '-');
            Path path = folder.resolve(relative);
            try {
                Files.createDirectories(path.toAbsolutePath().getParent());
                Files.writeString(path, f.text(), StandardOpenOption.CREATE_NEW);
            } catch (FileAlreadyExistsException e) {
                throw new CliException(
                        ExitCodes.FAILED, path + " exists and was left alone: choose another --out, or delete it", e);
            } catch (IOException e) {
                throw new CliException(ExitCodes.FAILED, "cannot write " + path + ": " + e.getMessage(), e);
            }
            screen.say((f.whole() ? "Wrote " : "Wrote what goes into " + f.path() + ": ") + path);
        }
    }

    private static String json(RunReport report, ConfigPlace place, ConfigFiles config, List<ConfigFile> files)
            throws JsonProcessingException {
        ObjectNode node = Json.mapper().createObjectNode();
        node.put("run", report.runId()).put("for", place.id()).put("headline", config.headline());
        var knobs = node.putArray("knobs");
        config.reasons()
                .forEach(r -> knobs.addObject()
                        .put("knob", r.knob())
                        .put("value", r.value())
                        .put("was", r.was())
                        .put("shown", r.shown()));
        var list = node.putArray("files");
        files.forEach(f -> list.addObject()
                .put("path", f.path())
                .put("whole", f.whole())
                .put("language", f.language())
                .put("text", f.text()));
        return Json.mapper().writerWithDefaultPrettyPrinter().writeValueAsString(node);
    }
}
