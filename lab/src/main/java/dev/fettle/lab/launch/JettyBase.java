package dev.fettle.lab.launch;

import dev.fettle.config.ConfigException;
import dev.fettle.config.KeyStoreFile;
import dev.fettle.config.jetty.IniFile;
import dev.fettle.config.jetty.JettyInis;
import dev.fettle.config.jetty.JettyPlace;
import dev.fettle.lab.machine.Folders;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.model.knob.Knobs;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.trial.TrialOutcome.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Creates a private jetty.base: the ini files of the user's base (or none) with the setting on top, the modules the web
 * application needs, and the web application. start.jar is asked for the command it would run, which is then run directly, so
 * that there is one JVM with known flags.
 */
final class JettyBase {
    private static final List<String> COPIED = List.of("etc", "modules", "resources");
    private static final List<String> LINKED = List.of("lib");
    private static final String WEBAPPS = "webapps";
    private static final String TEMP = "-Djava.io.tmpdir=";

    private final PrivateServer wanted;
    private final Path home;
    private final Path base;
    private final Optional<Path> original;
    private final List<String> notes = new ArrayList<>();
    private final Map<String, String> facts = new TreeMap<>();

    private JettyBase(PrivateServer wanted) {
        this.wanted = wanted;
        this.home = wanted.distribution().home();
        this.base = wanted.base();
        this.original = wanted.target().base().map(Path::of);
    }

    /**
     * Creates it.
     *
     * @param app the application to deploy; empty: those in the user's base
     * @throws TrialFailure IMPOSSIBLE_SETTING if this Jetty can't take the setting, DID_NOT_START if start.jar refuses
     * @throws LabException if there is nothing to start from
     */
    static PreparedServer prepare(PrivateServer wanted, Optional<WebApp> app)
            throws TrialFailure, LabException, InterruptedException {
        try {
            return new JettyBase(wanted).prepare(app);
        } catch (IOException e) {
            throw new LabException("cannot make a private jetty.base in " + wanted.folder() + ": " + e, e);
        }
    }

    private PreparedServer prepare(Optional<WebApp> app)
            throws IOException, TrialFailure, LabException, InterruptedException {
        Folders.keepPrivate(base);
        for (String folder : List.of("logs", "work", "temp", WEBAPPS, OwnFiles.START_D, "resources")) {
            Folders.make(base.resolve(folder));
        }
        List<IniFile> inis = List.of();
        if (original.isPresent()) {
            inis = OwnFiles.inis(original.get());
            copy(original.get());
        }
        JettyInis users = JettyInis.read(inis);
        notes.addAll(users.findings());
        facts.put("configured", users.setting().toString());
        var modules = new LinkedHashSet<String>();
        if (app.isPresent()) {
            String environment = environment(app.get(), users);
            modules.addAll(modules(environment, app.get()));
            deploy(app.get(), environment);
            facts.put("environment", environment);
        } else {
            facts.put("deployed", base(WEBAPPS).toString());
        }
        write(users, modules);
        var start = new JettyCommand(home, base, wanted.java());
        List<String> command = start.dryRun();
        return new PreparedServer(
                withFlags(command),
                start.properties(),
                Map.of(),
                facts,
                notes,
                new DeployLog(List.of(wanted.folder().resolve("target.log"), base.resolve("logs"))),
                List.of(base.resolve("work"), base.resolve("temp"), base.resolve(WEBAPPS)));
    }

    private Path base(String folder) {
        return original.orElse(base).resolve(folder);
    }

    private void copy(Path from) throws IOException {
        for (String folder : COPIED) {
            if (Files.isDirectory(from.resolve(folder))) {
                Folders.delete(base.resolve(folder));
                Folders.copy(from.resolve(folder), base.resolve(folder));
            }
        }
        for (String folder : LINKED) {
            if (Files.isDirectory(from.resolve(folder))) {
                Files.createSymbolicLink(
                        base.resolve(folder), from.resolve(folder).toRealPath());
            }
        }
        if (wanted.target().war().isEmpty() && Files.isDirectory(from.resolve(WEBAPPS))) {
            Folders.delete(base.resolve(WEBAPPS));
            Folders.copy(from.resolve(WEBAPPS), base.resolve(WEBAPPS));
        }
    }

    private boolean has(String module) {
        return Files.isReadable(home.resolve("modules/" + module + ".mod"))
                || Files.isReadable(base.resolve("modules/" + module + ".mod"));
    }

    /** The Jetty environment for the application: the one enabled in the user's base, or the one it is written for. */
    private String environment(WebApp app, JettyInis users) throws LabException {
        List<String> there = Stream.of("ee11", "ee10", "ee9", "ee8")
                .filter(e -> has(e + "-deploy"))
                .toList();
        List<String> on = there.stream()
                .filter(e -> users.modules().stream().anyMatch(m -> m.startsWith(e + "-")))
                .toList();
        List<String> fit = there.stream()
                .filter(e -> e.equals("ee8") == (app.api() == WebApp.Api.JAVAX) || app.api() == WebApp.Api.NONE)
                .toList();
        if (fit.isEmpty()) {
            throw new LabException("%s is built for %s (%s), and %s serves %s"
                    .formatted(
                            app.path(),
                            app.api() == WebApp.Api.JAVAX ? "javax.servlet" : "jakarta.servlet",
                            app.evidence(),
                            wanted.distribution().title(),
                            there.isEmpty() ? "no web applications" : "only " + String.join(", ", there)));
        }
        String written = switch (app.servlet().orElse("")) {
            case "6.1" -> "ee11";
            case "6.0" -> "ee10";
            case "5.0" -> "ee9";
            default -> fit.getFirst();
        };
        return on.stream().filter(fit::contains).findFirst().orElse(fit.contains(written) ? written : fit.getFirst());
    }

    private Set<String> modules(String environment, WebApp app) {
        var modules = new LinkedHashSet<String>();
        modules.add(environment + "-deploy");
        for (String more : app.jsp() ? List.of("annotations", "jsp", "jstl") : List.of("annotations")) {
            if (has(environment + "-" + more)) {
                modules.add(environment + "-" + more);
            }
        }
        return modules;
    }

    /** Writes a descriptor that points to the application; Jetty unpacks a WAR into its work folder. */
    private void deploy(WebApp app, String environment) throws IOException {
        String context = wanted.target().context();
        String name = context.equals("/") ? "root" : context.substring(1).replace('/', '-');
        Folders.writePrivate(base.resolve(WEBAPPS).resolve(name + ".xml"), """
                <?xml version="1.0" encoding="UTF-8"?>
                <!DOCTYPE Configure PUBLIC "-//Jetty//Configure//EN" "https://jetty.org/configure_10_0.dtd">
                <Configure class="org.eclipse.jetty.%s.webapp.WebAppContext">
                  <Set name="contextPath">%s</Set>
                  <Set name="war">%s</Set>
                </Configure>
                """.formatted(
                        environment, context, escaped(app.path().toString())));
        Folders.writePrivate(base.resolve(WEBAPPS).resolve(name + ".properties"), "environment=" + environment + "\n");
        facts.put("deployed", app.path().getFileName() + " at " + context);
    }

    private static String escaped(String path) {
        return path.replace("&", "&amp;").replace("<", "&lt;");
    }

    private void write(JettyInis users, Set<String> modules) throws IOException, TrialFailure {
        try {
            JettyInis with = users.with(wanted.setting());
            for (String module : with.modules()) {
                if (!users.modules().contains(module) && !has(module)) {
                    throw new TrialFailure(
                            Kind.IMPOSSIBLE_SETTING,
                            ("%s has no module %s, which %s needs: leave it out, or put what this version has instead into"
                                            + " your base")
                                    .formatted(wanted.distribution().title(), module, needs(module)));
                }
            }
            JettyInis.PrivateInis own = with.privately(
                    wanted.port(),
                    modules,
                    wanted.key().map(k -> new KeyStoreFile(k.keystore().toString(), k.password())));
            notes.addAll(own.notes());
            for (IniFile file : own.inis().files()) {
                Folders.writePrivate(base.resolve(file.path()), file.text());
            }
        } catch (ConfigException e) {
            throw new TrialFailure(Kind.IMPOSSIBLE_SETTING, String.valueOf(e.getMessage()));
        }
    }

    /** The knobs of the setting that go into a module. */
    private String needs(String module) {
        return wanted.setting().values().keySet().stream()
                .filter(k -> Knobs.find(k)
                        .map(knob -> JettyPlace.of(knob.on(ServerKind.JETTY)).stream()
                                .anyMatch(p -> p.module().equals(module)))
                        .orElse(false))
                .collect(Collectors.joining(", "));
    }

    /** The command that start.jar would run, with the trial's flags added to its own. */
    private List<String> withFlags(List<String> command) throws LabException {
        int end = 1;
        while (end < command.size() && command.get(end).startsWith("-") && !isPath(command.get(end))) {
            end++;
        }
        if (end == command.size()) {
            throw new LabException("start.jar --dry-run gave no command with a class path in " + base);
        }
        var own = new ArrayList<>(command.subList(1, end));
        own.removeIf(f -> f.startsWith(TEMP));
        var out = new ArrayList<String>();
        out.add(wanted.java().toString());
        out.addAll(wanted.flags(own));
        out.add(TEMP + base.resolve("temp"));
        out.addAll(command.subList(end, command.size()));
        return out;
    }

    private static boolean isPath(String option) {
        return Set.of("--class-path", "-cp", "-classpath", "--module-path", "-p")
                .contains(option);
    }
}
