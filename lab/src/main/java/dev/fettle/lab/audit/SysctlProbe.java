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
import java.util.Set;
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
            "f=/proc/sys/$1; [ -w \"$f\" ] || exit 3; printf %s \"$2\" | tee \"$f\" >/dev/null || exit 4; cat \"$f\"";

    /** What is said of a value, and not of rights: EINVAL, ERANGE, and ENOENT of an algorithm that there is not. */
    private static final Pattern REFUSED =
            Pattern.compile("Invalid argument|Numerical result out of range|No such file or directory");

    /** Groups that a namespace of one user does not have, and times that are kept in ticks of the kernel's clock. */
    private static final Pattern OTHERWISE = Pattern.compile(".*(?:ping_group_range|_ms)");

    /** Each must fit the other, and only one is set at a time. */
    private static final Set<String> PORTS =
            Set.of("net.ipv4.ip_local_port_range", "net.ipv4.ip_unprivileged_port_start");
    /** Linux's own algorithms: one that is not loaded is loaded when root names it, and can't be from within a namespace. */
    private static final Set<String> ALGORITHMS = Set.of("""
            bbr bic cdg cubic dctcp highspeed htcp hybla illinois lp nv reno scalable vegas veno westwood yeah""".split("\\s+"));

    List<Probe> probe(List<FoundSetting> found, String kernel) throws InterruptedException {
        Map<String, Map<String, FoundSetting>> keys = new LinkedHashMap<>();
        found.stream()
                .filter(f ->
                        f.kind() == SettingKind.SYSCTL && KEY.matcher(f.name()).matches())
                .forEach(f -> keys.computeIfAbsent(f.name(), k -> new LinkedHashMap<>())
                        .putIfAbsent(f.value(), f));
        var out = new ArrayList<Probe>();
        int n = 0;
        int tried = 0;
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
            Optional<String> now = there.map(v -> v.replace('\t', ' '));
            out.add(new Probe(e.getKey(), kernel, Outcome.ACCEPTED, "", now));
            for (FoundSetting f : e.getValue().values()) {
                if (tried < MOST && isTried(e.getKey(), f.value(), keys.keySet())) {
                    tried++;
                    refused(e.getKey(), f.value())
                            .ifPresent(words -> out.add(new Probe(f.written(), kernel, Outcome.CHANGED, words, now)));
                }
            }
        }
        return out;
    }

    private static boolean isTried(String key, String value, Set<String> all) {
        return key.startsWith("net.")
                && VALUE.matcher(value).matches()
                && !OTHERWISE.matcher(key).matches()
                && !(PORTS.contains(key) && all.containsAll(PORTS));
    }

    /** How the value read back in our own namespace differs from what was written; empty if it doesn't. */
    private Optional<String> refused(String key, String value) throws InterruptedException {
        Optional<Tried.Said> said = Tried.run(
                List.of("unshare", "-r", "-n", "sh", "-c", SCRIPT, "sh", key.replace('.', '/'), value), folder);
        if (said.isEmpty() || said.get().code() == 3 || said.get().code() == 1) {
            return Optional.empty(); // no permission, or a setting of the whole machine
        }
        if (said.get().code() == 4) {
            boolean ofTheValue = REFUSED.matcher(said.get().text()).find()
                    && !(key.endsWith("congestion_control")
                            && ALGORITHMS.containsAll(List.of(value.strip().split("\\s+"))));
            return ofTheValue ? Optional.of("it does not take the value '" + value.strip() + "'") : Optional.empty();
        }
        String now = said.get().text().strip().replaceAll("\\s+", " ");
        return said.get().code() == 0 && !isSame(value, now)
                ? Optional.of("it makes '" + now + "' of it")
                : Optional.empty();
    }

    /** Whether a value is what the kernel has now, which may be more fields than were written; {@code 0x10} is 16. */
    static boolean isSame(String written, String now) {
        String[] a = written.strip().split("\\s+");
        String[] b = now.strip().split("\\s+");
        if (a.length > b.length) {
            return false;
        }
        for (int i = 0; i < a.length; i++) {
            if (!number(a[i]).equals(number(b[i]))) {
                return false;
            }
        }
        return true;
    }

    /** A number as the kernel reads it, with octal and hexadecimal ones; other words as they are. */
    private static String number(String word) {
        try {
            return Long.decode(word).toString();
        } catch (NumberFormatException e) {
            return word;
        }
    }
}
