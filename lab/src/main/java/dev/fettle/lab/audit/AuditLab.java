package dev.fettle.lab.audit;

import dev.fettle.config.audit.SettingsText;
import dev.fettle.insight.audit.Audit;
import dev.fettle.insight.audit.Auditor;
import dev.fettle.insight.audit.Probe;
import dev.fettle.lab.machine.Folders;
import dev.fettle.lab.machine.Jdks;
import dev.fettle.lab.machine.LabException;
import dev.fettle.model.audit.AuditContext;
import dev.fettle.model.audit.AuditRules;
import dev.fettle.model.audit.FoundSetting;
import dev.fettle.model.audit.Release;
import dev.fettle.watch.host.Proc;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Audits settings: reads, tries and judges them. Nothing on the machine is changed. */
public final class AuditLab {
    private static final String RELEASE = "^[0-9]{1,4}$";

    private final Jdks jdks;
    private final Proc proc;

    public AuditLab(Jdks jdks, Proc proc) {
        this.jdks = jdks;
        this.proc = proc;
    }

    /**
     * The input of an audit.
     *
     * @param texts files that were read
     * @param host whether this machine's own settings are judged
     * @param pid a running JVM, whose options and limits are judged
     * @param kernel a release other than this machine's
     * @param jdk a feature release, or a JDK's folder; empty: the one that runs Fettle, or the process's
     * @param servers releases by {@code tomcat}, {@code jetty}, {@code spring}
     * @param tomcat a Tomcat, in whose class files attributes are looked up
     * @param jetty folder of a Jetty's distribution, whose modules say which properties there are
     * @param boot jar of a Spring Boot app, whose metadata its properties are checked against
     * @param probe whether settings may be tried
     */
    public record Asked(
            List<SettingsText> texts,
            boolean host,
            OptionalLong pid,
            Optional<Release> kernel,
            Optional<String> jdk,
            Map<String, Release> servers,
            Optional<TomcatProbe> tomcat,
            Optional<Path> jetty,
            Optional<Path> boot,
            boolean probe) {
        public Asked {
            texts = List.copyOf(texts);
            servers = Map.copyOf(servers);
        }
    }

    /** Current releases, for settings whose target release is not given. */
    public static final Map<String, Release> TODAY = Map.of(
            "tomcat", Release.of("11.0"),
            "jetty", Release.of("12.1"),
            "undertow", Release.of("2.3"),
            "spring", Release.of("4.1"));

    /**
     * The audit's verdicts.
     *
     * @throws LabException if a process or a JDK does not exist, or can't be inspected
     */
    public Audit audit(Asked asked) throws LabException, InterruptedException {
        var notes = new ArrayList<String>();
        var found = new ArrayList<FoundSetting>();
        for (SettingsText t : asked.texts()) {
            found.addAll(t.settings());
            notes.addAll(t.notes());
        }
        if (asked.host()) {
            found.addAll(HostSettings.read(proc, notes));
        }
        OptionalInt running = OptionalInt.empty();
        if (asked.pid().isPresent()) {
            running = OptionalInt.of(new RunningSettings(proc, asked.pid().getAsLong(), found, notes).read());
        }
        Release here = Release.of(System.getProperty("os.version"));
        boolean thisKernel = asked.kernel().isEmpty();
        var releases = new HashMap<>(TODAY);
        releases.putAll(asked.servers());
        releases.put("kernel", asked.kernel().orElse(here));
        Optional<TrustedProgram> java = java(asked, running, notes);
        String otherwise = running.isPresent() ? Integer.toString(running.getAsInt()) : "25";
        Release feature = release(java, asked.jdk().orElse(otherwise));
        releases.put("jdk", feature);
        var probes = new ArrayList<Probe>();
        if (asked.probe()) {
            probes.addAll(probes(found, java, feature, thisKernel, here, asked, releases, notes));
        }
        if (asked.boot().isPresent() && asked.probe()) {
            spring(asked, found, probes, releases);
        }
        var context = new AuditContext(releases, thisKernel ? HostSettings.facts(proc) : Map.of());
        return new Auditor(AuditRules.all(), context, probes).audit(found, notes);
    }

    /** @param named what was asked for: a release, or a folder, which has to say of which it is */
    private static Release release(Optional<TrustedProgram> java, String named) throws LabException {
        Optional<Integer> release = java.flatMap(j -> Jdks.releaseOf(j.file()));
        if (release.isEmpty() && !named.matches(RELEASE)) {
            throw new LabException("no JDK at " + named + ": its file 'release' does not say which one it is");
        }
        return Release.of(release.map(String::valueOf).orElse(named));
    }

    private List<Probe> probes(
            List<FoundSetting> found,
            Optional<TrustedProgram> java,
            Release feature,
            boolean thisKernel,
            Release kernel,
            Asked asked,
            Map<String, Release> releases,
            List<String> notes)
            throws LabException, InterruptedException {
        var probes = new ArrayList<Probe>();
        Path folder = null;
        try {
            folder = Files.createTempDirectory("fettle-audit");
            if (java.isPresent()) {
                probes.addAll(new JvmProbe(java.get(), folder).probe(found, "JDK " + feature, notes));
            }
            if (asked.tomcat().isPresent()) {
                probes.addAll(tomcat(found, asked, asked.tomcat().get(), releases, notes));
            }
            if (asked.jetty().isPresent()) {
                var jetty = new JettyProbe(asked.jetty().get());
                probes.addAll(jetty.probe(found));
                if (!asked.servers().containsKey("jetty") && !jetty.version().isEmpty()) {
                    releases.put("jetty", Release.of(jetty.version()));
                }
            }
            probes.addAll(new NginxProbe(onPath("nginx"), folder).probe(found, notes));
            if (thisKernel) {
                List<FoundSetting> written = found.stream()
                        .filter(f -> !f.place().file().startsWith(HostSettings.WHERE))
                        .toList();
                probes.addAll(new SysctlProbe(proc, onPath("unshare"), kernel, folder).probe(written));
            } else {
                notes.add("kernel settings were not tried: this machine has Linux " + kernel);
            }
        } catch (IOException e) {
            notes.add("nothing was tried: " + e.getMessage());
        } finally {
            if (folder != null) {
                try {
                    Folders.delete(folder);
                } catch (IOException e) {
                    notes.add("left behind: " + folder);
                }
            }
        }
        return probes;
    }

    private static List<Probe> tomcat(
            List<FoundSetting> found,
            Asked asked,
            TomcatProbe tomcat,
            Map<String, Release> releases,
            List<String> notes) {
        try {
            TomcatProbe.Said said = tomcat.probe(found);
            if (!asked.servers().containsKey("tomcat")) {
                said.version().ifPresent(v -> releases.put("tomcat", Release.of(v)));
            }
            return said.probes();
        } catch (IOException e) {
            notes.add("attributes were not checked: " + e.getMessage());
            return List.of();
        }
    }

    private static void spring(Asked asked, List<FoundSetting> found, List<Probe> probes, Map<String, Release> releases)
            throws LabException {
        Path jar = asked.boot().orElseThrow();
        try {
            var spring = new SpringProbe(jar);
            probes.addAll(spring.probe(found));
            if (!asked.servers().containsKey("spring")) {
                spring.version().ifPresent(v -> releases.put("spring", Release.of(v)));
            }
        } catch (IOException e) {
            throw new LabException("cannot read the jar " + jar + ": " + e.getMessage(), e);
        }
    }

    private Optional<TrustedProgram> onPath(String name) {
        return TrustedProgram.onPath(name, jdks.environment().getOrDefault("PATH", ""));
    }

    /**
     * The JDK to try options on: the one that was asked for, the process's own, or another of the process's release.
     *
     * @param running the process's release
     */
    private Optional<TrustedProgram> java(Asked asked, OptionalInt running, List<String> notes) throws LabException {
        Optional<String> jdk = asked.jdk();
        if (jdk.isEmpty() && running.isPresent()) {
            try {
                return Optional.of(TrustedProgram.ofProcess(jdks, asked.pid().getAsLong()));
            } catch (LabException e) {
                jdk = Optional.of(Integer.toString(running.getAsInt()));
                notes.add("that JDK was not started, another of release " + jdk.get() + " is used: " + e.getMessage());
            }
        }
        boolean release = jdk.isPresent() && jdk.get().matches(RELEASE);
        try {
            return Optional.of(TrustedProgram.java(jdks, jdk));
        } catch (LabException e) {
            if (!release) {
                throw e;
            }
            notes.add("JVM options were not tried, only looked up: there is no JDK " + jdk.get() + " on this machine");
            return Optional.empty();
        }
    }
}
