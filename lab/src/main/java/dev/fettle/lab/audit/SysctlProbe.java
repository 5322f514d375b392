package dev.fettle.lab.audit;

import dev.fettle.insight.audit.Probe;
import dev.fettle.insight.audit.Probe.Outcome;
import dev.fettle.model.audit.FoundSetting;
import dev.fettle.model.audit.SettingKind;
import dev.fettle.watch.host.Proc;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Looks kernel settings up on this machine. Those of the network are set, where rights allow it, in a network namespace that
 * exists for the length of the command, and read back there: nothing outside it changes.
 */
record SysctlProbe(Proc proc, Path folder) {
    private static final int MOST = 60;
    private static final Pattern KEY = Pattern.compile("[a-z0-9_]+(?:\\.[a-z0-9_-]+){1,6}");
    private static final Pattern VALUE = Pattern.compile("[A-Za-z0-9_ \\t.-]{1,60}");
    /** The key and the value are arguments, not part of the script. */
    private static final String SCRIPT =
            "f=/proc/sys/$1; [ -e \"$f\" ] || exit 3; printf %s \"$2\" > \"$f\" || exit 4; cat \"$f\"";

    List<Probe> probe(List<FoundSetting> found, String kernel) throws InterruptedException {
        Map<String, String> keys = new LinkedHashMap<>();
        found.stream()
                .filter(f ->
                        f.kind() == SettingKind.SYSCTL && KEY.matcher(f.name()).matches())
                .forEach(f -> keys.merge(f.name(), f.value(), (a, b) -> b.isEmpty() ? a : b));
        var out = new ArrayList<Probe>();
        int n = 0;
        for (var e : keys.entrySet()) {
            if (n++ == MOST) {
                break;
            }
            Optional<String> there = proc.sysctl(e.getKey());
            if (there.isEmpty()) {
                // a file without read permission exists, too
                if (!java.nio.file.Files.exists(Path.of("/proc/sys", e.getKey().replace('.', '/')))) {
                    out.add(new Probe(
                            e.getKey(), kernel, Outcome.ABSENT, "there is no such setting", Optional.empty()));
                }
                continue;
            }
            Optional<String> refused =
                    e.getKey().startsWith("net.") && VALUE.matcher(e.getValue()).matches()
                            ? refused(e.getKey(), e.getValue())
                            : Optional.empty();
            out.add(new Probe(
                    e.getKey(), kernel, Outcome.ACCEPTED, refused.orElse(""), there.map(v -> v.replace('\t', ' '))));
        }
        return out;
    }

    /** How the value read back in our own namespace differs from what was written; empty if it doesn't. */
    private Optional<String> refused(String key, String value) throws InterruptedException {
        Optional<Tried.Said> said = Tried.run(
                List.of("unshare", "-r", "-n", "sh", "-c", SCRIPT, "sh", key.replace('.', '/'), value), folder);
        if (said.isEmpty() || said.get().code() == 3 || said.get().code() == 1) {
            return Optional.empty(); // no permission, or a setting of the whole machine
        }
        if (said.get().code() == 4) {
            return Optional.of("it does not take the value '" + value + "'");
        }
        String now = said.get().text().strip().replaceAll("\\s+", " ");
        return now.equals(value.strip().replaceAll("\\s+", " "))
                ? Optional.empty()
                : Optional.of("it makes '" + now + "' of it");
    }
}
