package dev.fettle.lab.audit;

import dev.fettle.model.audit.AuditRule;
import dev.fettle.model.audit.AuditRules;
import dev.fettle.model.audit.FoundSetting;
import dev.fettle.model.audit.FoundSetting.Place;
import dev.fettle.model.audit.SettingKind;
import dev.fettle.watch.host.HostLimits;
import dev.fettle.watch.host.Proc;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads this machine's current settings; changes nothing. */
public final class HostSettings {
    /** The place of settings found on this machine. */
    public static final String WHERE = "this host";

    /** The scope of a value in effect, whether or not a file sets it. */
    private static final String LIVE = "live";

    private static final Path HUGE = Path.of("/sys/kernel/mm/transparent_hugepage");
    private static final Path CLOCK = Path.of("/sys/devices/system/clocksource/clocksource0/current_clocksource");
    private static final Path GOVERNOR = Path.of("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");

    private HostSettings() {}

    /** Facts about the machine that verdicts depend on. */
    public static Map<String, String> facts(Proc proc) {
        var facts = new LinkedHashMap<String, String>();
        proc.sysctl("net.core.somaxconn").ifPresent(v -> facts.put("net.core.somaxconn", v));
        proc.info("meminfo", "MemTotal:").ifPresent(v -> facts.put("memory", v.split(" ")[0] + "k"));
        facts.put("cpus", Integer.toString(proc.allowedCpus("self").size()));
        return facts;
    }

    /** The current values of all kernel and machine settings that have a rule. */
    public static List<FoundSetting> read(Proc proc, List<String> notes) {
        var out = new ArrayList<FoundSetting>();
        for (AuditRule r : AuditRules.all().rules()) {
            if (r.kind() == SettingKind.SYSCTL) {
                proc.sysctl(r.name())
                        .filter(v -> !v.isBlank())
                        .ifPresent(v -> out.add(found(SettingKind.SYSCTL, r.name(), v.replace('\t', ' '))));
            }
        }
        for (String which : List.of("enabled", "defrag")) {
            text(HUGE.resolve(which))
                    .ifPresentOrElse(
                            t -> out.add(found(
                                    SettingKind.HOST,
                                    "transparent_hugepage/" + which,
                                    t.replaceAll("(?s)^.*\\[(\\w++)\\].*", "$1"))),
                            () -> notes.add("transparent_hugepage/" + which + ": not observed, there is no such file"));
        }
        text(CLOCK)
                .ifPresentOrElse(
                        t -> out.add(found(SettingKind.HOST, "clocksource", t)),
                        () -> notes.add("clocksource: not observed, there is no such file"));
        text(GOVERNOR)
                .ifPresentOrElse(
                        t -> out.add(found(SettingKind.HOST, "scaling_governor", t)),
                        () -> notes.add(
                                "scaling_governor: not observed, this machine does not show it (virtual machines rarely do)"));
        limits(proc, "self", "of this shell", out);
        return out;
    }

    /** The limits of a process. */
    static void limits(Proc proc, String pid, String whose, List<FoundSetting> out) {
        HostLimits limits = HostLimits.of(proc, pid);
        limits.files()
                .ifPresent(n -> out.add(new FoundSetting(
                        SettingKind.LIMIT, "LimitNOFILE", Long.toString(n), new Place(WHERE + ", " + whose, 0))));
        limits.tasks()
                .ifPresent(n -> out.add(new FoundSetting(
                        SettingKind.LIMIT, "TasksMax", Long.toString(n), new Place(WHERE + ", " + whose, 0))));
    }

    private static FoundSetting found(SettingKind kind, String name, String value) {
        return new FoundSetting(kind, name, value, new Place(WHERE, 0), LIVE);
    }

    private static Optional<String> text(Path file) {
        try {
            return Optional.of(Files.readString(file).strip());
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
