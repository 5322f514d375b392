package dev.fettle.cli.command;

import dev.fettle.cli.option.HostOption;
import dev.fettle.cli.option.Parse;
import dev.fettle.cli.option.PrintOptions;
import dev.fettle.cli.option.ResultFiles;
import dev.fettle.cli.run.AuditFiles;
import dev.fettle.cli.run.Machine;
import dev.fettle.cli.run.OnHost;
import dev.fettle.cli.run.Version;
import dev.fettle.cli.terminal.CliException;
import dev.fettle.cli.terminal.ExitCodes;
import dev.fettle.cli.terminal.Screen;
import dev.fettle.config.audit.Corrections;
import dev.fettle.config.audit.Corrections.Correction;
import dev.fettle.config.audit.SettingsText;
import dev.fettle.insight.audit.Audit;
import dev.fettle.lab.audit.AuditLab;
import dev.fettle.lab.audit.JettyProbe;
import dev.fettle.lab.audit.TomcatProbe;
import dev.fettle.lab.machine.Jdks;
import dev.fettle.lab.machine.LabException;
import dev.fettle.model.audit.AuditVerdict.Severity;
import dev.fettle.model.audit.FoundSetting;
import dev.fettle.model.audit.Release;
import dev.fettle.report.audit.AuditDocs;
import dev.fettle.report.audit.AuditDocument;
import dev.fettle.report.audit.AuditJson;
import dev.fettle.report.audit.AuditPlan;
import dev.fettle.report.document.Document;
import dev.fettle.report.markdown.MarkdownReport;
import dev.fettle.report.text.TextReport;
import dev.fettle.watch.host.Proc;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code fettle audit}. */
@Command(
        name = "audit",
        mixinStandardHelpOptions = true,
        header = "Judges settings: this host's, a running JVM's, or those in files and texts.",
        description = {
            "",
            "Reads sysctl.conf, limits.conf, systemd units, server.xml, Jetty's XML and ini, Spring Boot's",
            "properties and YAML, JVM option files, shell scripts, Dockerfiles, Compose, Kubernetes,",
            "nginx.conf, and settings in articles, in English and Chinese. Each is judged for one kernel, JDK",
            "and server: what is fatal, removed, renamed, useless or the default already, why, and what to",
            "write instead. JVM options are tried on the JDK, kernel settings looked up on this machine,",
            "attributes in Tomcat's class files, properties in Jetty's modules, directives on this machine's nginx.",
            "Nothing is changed, and nothing that is audited is run."
        },
        footer = {
            "",
            "Examples:",
            "  fettle audit",
            "  fettle audit --pid 12345",
            "  fettle audit server.xml setenv.sh /etc/sysctl.d/*.conf Dockerfile deployment.yaml",
            "  fettle audit blog.md --jdk 17 --server tomcat@9",
            "  cat answer.txt | fettle audit -",
            "  fettle audit --on perf@app-1 --pid 4711",
            "  fettle audit deploy/ --fail-on warning --format sarif > audit.sarif",
            "  fettle audit setenv.sh --fix > setenv.patch",
            "",
            "Exit codes: 0 done, 1 a file that is there or a process can't be read,",
            "            2 wrong arguments, no such file, or one that is not what its name says,",
            "            3 the machine of --on can't be reached or lacks something,",
            "            4 --fix can correct nothing of what it found, or --plan has nothing to compare,",
            "            5 a finding of --fail-on."
        })
@SuppressWarnings("NullAway.Init") // fields are set by picocli
public final class AuditCommand implements Callable<Integer> {
    /** Stands for bytes that are no UTF-8. */
    private static final char NO_CHARACTER = '\uFFFD';

    @Mixin
    private HostOption host;

    @Mixin
    private PrintOptions common;

    @Parameters(
            paramLabel = "FILE",
            arity = "0..*",
            description = "Files, folders with such files, or - for the standard input. Default: this host.")
    private List<String> files = new ArrayList<>();

    @Option(
            names = "--pid",
            paramLabel = "PID",
            description = "A running JVM of yours: its options, limits, MBeans and sockets.")
    private @Nullable Long pid;

    @Option(
            names = "--kernel",
            paramLabel = "VERSION",
            description = "Judge for this release of Linux. Default: this machine's.")
    private @Nullable Release kernel;

    @Option(
            names = "--jdk",
            paramLabel = "N|DIR",
            description =
                    "Judge for this release of the JDK, or the one in a folder. Default: the one that runs Fettle, or"
                            + " the process.")
    private @Nullable String jdk;

    @Option(
            names = "--server",
            paramLabel = "NAME@VERSION",
            description =
                    "Judge for this release of tomcat, jetty, undertow or spring. Can be repeated. Default: those of"
                            + " today.")
    private List<String> servers = new ArrayList<>();

    @Option(
            names = "--tomcat",
            paramLabel = "DIR",
            description =
                    "A Tomcat's folder: attributes of server.xml are looked up in its class files. Default: the one that a"
                            + " server.xml lies in, or Fettle's own Tomcat 11.")
    private @Nullable Path tomcat;

    @Option(
            names = "--jetty",
            paramLabel = "DIR",
            description =
                    "A Jetty's folder: properties are looked up in its modules. Default: JETTY_HOME, if that is set.")
    private @Nullable Path jetty;

    @Option(
            names = "--boot-jar",
            paramLabel = "JAR",
            description = "A Spring Boot app's jar: its properties are held against the metadata in it.")
    private @Nullable Path bootJar;

    @Option(
            names = "--fail-on",
            paramLabel = "SEVERITY",
            description = "Exit with 5 if a finding is at least this severe: error, warning, note.")
    private @Nullable FailOn failOn;

    /** What is severe enough for {@code --fail-on}: all but what needs nothing to be done. */
    public enum FailOn {
        ERROR,
        WARNING,
        NOTE;

        Severity severity() {
            return Severity.valueOf(name());
        }
    }

    /** The output format of the verdicts. */
    public enum Format {
        TEXT,
        MARKDOWN,
        JSON,
        SARIF
    }

    @Mixin
    private ResultFiles.WithVerdict outputs;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "text, markdown, json or sarif. Default: text; --json is the same as --format json.")
    private @Nullable Format format;

    @Option(names = "--all", description = "Also what is right as it is, and what is not known here.")
    private boolean all;

    @Option(
            names = "--fix",
            description = "Print the corrected files as a patch, with the reasons as comments. Nothing is written.")
    private boolean fix;

    @Option(names = "--plan", description = "Print the plan of the comparison that settles the row that matters most.")
    private boolean plan;

    @Option(
            names = "--probe",
            negatable = true,
            defaultValue = "true",
            fallbackValue = "true",
            description = "Whether settings are tried, too. Default: yes.")
    private boolean probe;

    @Option(names = "--rules", description = "Print all rules as the page docs/audit-rules.md.")
    private boolean rules;

    @Override
    public Integer call() throws LabException, InterruptedException {
        var screen = common.screen();
        if (host.machine().isPresent()) {
            if (files.contains("-")) {
                throw Parse.usage("--on reads files of that machine, not this one's standard input");
            }
            return OnHost.run(host.machine().get(), common.line(), screen, Map.of());
        }
        if (outputs.any() && (fix || plan || rules)) {
            throw Parse.usage("--markdown and --junit are for verdicts: leave out "
                    + (fix ? "--fix" : plan ? "--plan" : "--rules"));
        }
        if (rules) {
            screen.result(AuditDocs.page());
            return ExitCodes.OK;
        }
        refuseContradictions();
        outputs.check();
        var notes = new ArrayList<String>();
        List<SettingsText> texts = AuditFiles.read(files, notes);
        boolean all = files.isEmpty() && pid == null;
        Audit audit = new AuditLab(Jdks.system(), new Proc())
                .audit(new AuditLab.Asked(
                        texts,
                        all,
                        pid == null ? OptionalLong.empty() : OptionalLong.of(pid),
                        Optional.ofNullable(kernel),
                        Optional.ofNullable(jdk),
                        releases(),
                        tomcat(texts),
                        jetty(),
                        Optional.ofNullable(bootJar),
                        probe));
        var told = new ArrayList<>(audit.notes());
        told.addAll(0, notes);
        audit = new Audit(audit.context(), audit.findings(), told);
        if (fix) {
            return fixes(texts, audit, screen);
        }
        if (plan) {
            screen.result(AuditPlan.of(audit)
                    .orElseThrow(() -> new CliException(
                            ExitCodes.NO_VALID_RESULT, "no setting was found that a comparison could settle")));
            return ExitCodes.OK;
        }
        Severity failing = failOn == null ? Severity.ERROR : failOn.severity();
        Document document = AuditDocument.of(audit, all, failing);
        screen.result(
                switch (format()) {
                    case TEXT -> new TextReport(screen.width(), screen.colour()).document(document);
                    case MARKDOWN -> MarkdownReport.of(document);
                    case JSON -> AuditJson.of(audit);
                    case SARIF -> AuditJson.sarif(audit, Version.text());
                });
        outputs.write(() -> document);
        return failOn != null && audit.atLeast(failOn.severity()) > 0 ? ExitCodes.CONDITION_MET : ExitCodes.OK;
    }

    private Format format() {
        Format usual = common.json ? Format.JSON : Format.TEXT;
        return format == null ? usual : format;
    }

    private void refuseContradictions() {
        if (fix && plan) {
            throw Parse.usage("--fix or --plan: one of the two");
        }
        if ((fix || plan) && (failOn != null || format != null || common.json || all)) {
            throw Parse.usage((fix ? "--fix prints only a patch" : "--plan prints only a plan") + ": leave out "
                    + (failOn != null ? "--fail-on" : format != null ? "--format" : all ? "--all" : "--json"));
        }
        if (common.json && format != null && format != Format.JSON) {
            throw Parse.usage("--json is --format json: leave out one of the two");
        }
    }

    private static int fixes(List<SettingsText> texts, Audit audit, Screen screen) {
        var patch = new StringBuilder();
        var byHand = new ArrayList<String>();
        var told = new HashSet<FoundSetting>();
        for (SettingsText t : texts) {
            var settings = new HashSet<>(t.settings());
            List<Correction> corrections = audit.findings().stream()
                    .filter(f -> settings.contains(f.found()) && !f.fix().isEmpty())
                    .map(f -> new Correction(f.found(), f.fix(), f.why()))
                    .distinct()
                    .toList();
            if (!corrections.isEmpty() && AuditFiles.isInArchive(t)) {
                continue; // each is named as one by hand
            }
            if (!corrections.isEmpty() && t.text().indexOf(NO_CHARACTER) >= 0) {
                byHand.add(t.name() + " is not UTF-8 throughout, so a patch would not fit it");
                continue;
            }
            Corrections.Patched patched = Corrections.of(t, corrections);
            patch.append(patched.diff());
            corrections.forEach(c -> told.add(c.setting()));
            patched.byHand().forEach(told::remove);
        }
        // the gravest first, and each setting once
        audit.findings().stream()
                .filter(f -> f.verdict().severity().atLeast(Severity.WARNING)
                        || !f.fix().isEmpty())
                .filter(f -> told.add(f.found()))
                .map(f -> "%s %s, %s%s"
                        .formatted(
                                f.found().place(),
                                f.found().written(),
                                f.verdict().words(),
                                f.instead().isEmpty() ? "" : ": " + f.instead()))
                .forEach(byHand::add);
        if (!patch.isEmpty()) {
            screen.result(patch.toString());
        }
        long open = audit.atLeast(Severity.WARNING);
        screen.error(patch.isEmpty() ? "Nothing that a patch could correct safely." : "Apply it with: patch -p1");
        byHand.forEach(b -> screen.error("By hand: " + b));
        return open > 0 && patch.isEmpty() ? ExitCodes.NO_VALID_RESULT : ExitCodes.OK;
    }

    private static Release release(String text) {
        try {
            return Release.of(text);
        } catch (IllegalArgumentException e) {
            throw new CliException(ExitCodes.USAGE, "--server: " + e.getMessage(), e);
        }
    }

    /** The Tomcat in which attributes are looked up: the one named by the user, the one around a server.xml, or Fettle's own. */
    private Optional<TomcatProbe> tomcat(List<SettingsText> texts) {
        if (tomcat != null) {
            Path home = tomcat;
            return Optional.of(TomcatProbe.of(home)
                    .orElseThrow(() -> Parse.usage("--tomcat: there is no lib/catalina.jar in " + home)));
        }
        Optional<TomcatProbe> around = texts.stream()
                .filter(t -> t.format() == SettingsText.Format.SERVER_XML)
                .flatMap(t -> TomcatProbe.around(Path.of(t.name())).stream())
                .findFirst();
        boolean another = servers.stream().anyMatch(s -> s.startsWith("tomcat@") && !s.startsWith("tomcat@11"));
        return around.or(() -> another ? Optional.empty() : TomcatProbe.embedded(Machine.home()));
    }

    private Optional<Path> jetty() {
        if (jetty != null) {
            if (!JettyProbe.isHome(jetty)) {
                throw Parse.usage("--jetty: there is no distribution of Jetty in " + jetty);
            }
            return Optional.of(jetty);
        }
        return Optional.ofNullable(System.getenv("JETTY_HOME")).map(Path::of).filter(JettyProbe::isHome);
    }

    private Map<String, Release> releases() {
        var out = new HashMap<String, Release>();
        for (String s : servers) {
            String[] pair = s.split("@", 2);
            String name = pair[0].equals("spring-boot") ? "spring" : pair[0];
            if (pair.length < 2 || !AuditLab.TODAY.containsKey(name)) {
                throw Parse.usage(
                        "--server is tomcat, jetty, undertow or spring with a version, such as tomcat@11, not '" + s
                                + "'");
            }
            out.put(name, release(pair[1]));
        }
        return out;
    }
}
