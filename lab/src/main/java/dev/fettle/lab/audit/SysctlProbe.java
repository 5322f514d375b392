package dev.fettle.lab.audit;

import dev.fettle.insight.audit.Probe;
import dev.fettle.insight.audit.Probe.Outcome;
import dev.fettle.model.audit.FoundSetting;
import dev.fettle.model.audit.Release;
import dev.fettle.model.audit.SettingKind;
import dev.fettle.watch.host.Proc;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Looks kernel settings up on this machine. Some are set, where rights allow it, in a network namespace that exists for the length of the
 * command, and read back there: those that each namespace has a value of its own of, on this kernel. Nothing outside it changes.
 */
record SysctlProbe(Proc proc, Optional<TrustedProgram> unshare, Release kernel, Path folder) {
    private static final int MOST = 60;
    private static final Pattern KEY = Pattern.compile("[a-z0-9_]+(?:\\.[a-z0-9_-]+){1,6}");
    private static final Pattern VALUE = Pattern.compile("[A-Za-z0-9_ \\t.-]{1,60}");
    /** The key and the value are arguments, not part of the script. */
    private static final String SCRIPT =
            "f=/proc/sys/$1; [ -w \"$f\" ] || exit 3; printf %s \"$2\" | tee \"$f\" >/dev/null || exit 4; cat \"$f\"";

    /**
     * The settings that are set, below the release of Linux that keeps one value for each network namespace: the tables {@code
     * ipv4_net_table}, {@code netns_core_table} and {@code unix_table} of its sources. All others are never written: being below {@code
     * net} says nothing, as {@code nf_conntrack_max} and {@code tcp_allowed_congestion_control} could be set for the whole machine from
     * within any namespace until 5.12 (CVE-2021-38209).
     */
    private static final Map<String, Release> OF_A_NAMESPACE = ofANamespace("""
            3.18 net.core.somaxconn net.unix.max_dgram_qlen net.ipv4.ip_local_port_range net.ipv4.ip_local_reserved_ports
            3.18 net.ipv4.ip_no_pmtu_disc net.ipv4.tcp_ecn net.ipv4.icmp_echo_ignore_all net.ipv4.icmp_echo_ignore_broadcasts
            3.18 net.ipv4.icmp_ratelimit net.ipv4.icmp_ratemask net.ipv4.ip_forward
            3.18 net.ipv4.conf.all.rp_filter net.ipv4.conf.all.accept_source_route net.ipv4.conf.all.accept_redirects
            3.18 net.ipv4.conf.all.send_redirects net.ipv4.conf.all.secure_redirects net.ipv4.conf.all.log_martians
            3.18 net.ipv4.conf.default.rp_filter net.ipv4.conf.default.accept_source_route
            3.18 net.ipv4.conf.default.accept_redirects net.ipv4.conf.default.send_redirects
            3.18 net.ipv4.conf.default.secure_redirects net.ipv4.conf.default.log_martians
            3.18 net.ipv6.conf.all.disable_ipv6 net.ipv6.conf.default.disable_ipv6
            4.1  net.ipv4.tcp_mtu_probing net.ipv4.tcp_base_mss
            4.6  net.ipv4.tcp_keepalive_time net.ipv4.tcp_keepalive_probes net.ipv4.tcp_keepalive_intvl net.ipv4.tcp_syn_retries
            4.6  net.ipv4.tcp_synack_retries net.ipv4.tcp_syncookies net.ipv4.tcp_reordering net.ipv4.tcp_retries1
            4.6  net.ipv4.tcp_retries2 net.ipv4.tcp_orphan_retries net.ipv4.tcp_fin_timeout net.ipv4.tcp_notsent_lowat
            4.6  net.ipv4.ip_default_ttl
            4.11 net.ipv4.tcp_max_syn_backlog net.ipv4.tcp_max_tw_buckets net.ipv4.tcp_tw_reuse net.ipv4.tcp_tw_recycle
            4.11 net.ipv4.ip_unprivileged_port_start
            4.15 net.ipv4.tcp_sack net.ipv4.tcp_window_scaling net.ipv4.tcp_timestamps net.ipv4.tcp_early_retrans
            4.15 net.ipv4.tcp_recovery net.ipv4.tcp_thin_linear_timeouts net.ipv4.tcp_slow_start_after_idle
            4.15 net.ipv4.tcp_retrans_collapse net.ipv4.tcp_stdurg net.ipv4.tcp_rfc1337 net.ipv4.tcp_abort_on_overflow
            4.15 net.ipv4.tcp_fack net.ipv4.tcp_max_reordering net.ipv4.tcp_dsack net.ipv4.tcp_app_win
            4.15 net.ipv4.tcp_adv_win_scale net.ipv4.tcp_frto net.ipv4.tcp_no_metrics_save net.ipv4.tcp_moderate_rcvbuf
            4.15 net.ipv4.tcp_tso_win_divisor net.ipv4.tcp_workaround_signed_windows net.ipv4.tcp_limit_output_bytes
            4.15 net.ipv4.tcp_challenge_ack_limit net.ipv4.tcp_min_tso_segs net.ipv4.tcp_min_rtt_wlen
            4.15 net.ipv4.tcp_autocorking net.ipv4.tcp_invalid_ratelimit net.ipv4.tcp_pacing_ss_ratio
            4.15 net.ipv4.tcp_pacing_ca_ratio net.ipv4.tcp_wmem net.ipv4.tcp_rmem net.ipv4.tcp_congestion_control
            4.15 net.ipv4.tcp_fastopen
            """);

    private static Map<String, Release> ofANamespace(String table) {
        var out = new HashMap<String, Release>();
        table.lines().map(l -> l.split("\\s+")).forEach(words -> {
            for (int i = 1; i < words.length; i++) {
                out.put(words[i], Release.of(words[0]));
            }
        });
        return Map.copyOf(out);
    }

    /** What is said of a value, and not of rights: EINVAL, ERANGE, and ENOENT of an algorithm that there is not. */
    private static final Pattern REFUSED =
            Pattern.compile("Invalid argument|Numerical result out of range|No such file or directory");

    /** Each must fit the other, and only one is set at a time. */
    private static final Set<String> PORTS =
            Set.of("net.ipv4.ip_local_port_range", "net.ipv4.ip_unprivileged_port_start");
    /** Linux's own algorithms: one that is not loaded is loaded when root names it, and can't be from within a namespace. */
    private static final Set<String> ALGORITHMS = Set.of("""
            bbr bic cdg cubic dctcp highspeed htcp hybla illinois lp nv reno scalable vegas veno westwood yeah""".split("\\s+"));

    List<Probe> probe(List<FoundSetting> found) throws InterruptedException {
        Map<String, Map<String, FoundSetting>> keys = new LinkedHashMap<>();
        found.stream()
                .filter(f ->
                        f.kind() == SettingKind.SYSCTL && KEY.matcher(f.name()).matches())
                .forEach(f -> keys.computeIfAbsent(f.name(), k -> new LinkedHashMap<>())
                        .putIfAbsent(f.value(), f));
        var out = new ArrayList<Probe>();
        String on = "Linux " + kernel;
        int n = 0;
        int tried = 0;
        for (var e : keys.entrySet()) {
            if (n++ == MOST) {
                break;
            }
            Path file = Path.of("/proc/sys", e.getKey().replace('.', '/'));
            if (!Files.exists(file)) {
                out.add(new Probe(e.getKey(), on, Outcome.ABSENT, "there is no such setting", Optional.empty()));
                continue;
            }
            // what only root may read, such as keys, is shown to nobody because a text names it
            Optional<String> there = isForAll(file) ? proc.sysctl(e.getKey()) : Optional.empty();
            if (there.isEmpty()) {
                continue;
            }
            Optional<String> now = there.map(v -> v.replace('\t', ' '));
            out.add(new Probe(e.getKey(), on, Outcome.ACCEPTED, "", now));
            for (FoundSetting f : e.getValue().values()) {
                if (tried < MOST && isTried(e.getKey(), f.value(), keys.keySet())) {
                    tried++;
                    refused(e.getKey(), f.value())
                            .ifPresent(words -> out.add(new Probe(f.written(), on, Outcome.CHANGED, words, now)));
                }
            }
        }
        return out;
    }

    private static boolean isForAll(Path file) {
        try {
            return Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_READ);
        } catch (IOException e) {
            return false;
        }
    }

    private boolean isTried(String key, String value, Set<String> all) {
        return isOfANamespace(key, kernel)
                && VALUE.matcher(value).matches()
                && !(PORTS.contains(key) && all.containsAll(PORTS));
    }

    /** Whether each network namespace is known to have a value of its own, on a release of Linux. */
    static boolean isOfANamespace(String key, Release kernel) {
        Release since = OF_A_NAMESPACE.get(key);
        return since != null && kernel.compareTo(since) >= 0;
    }

    /** How the value read back in our own namespace differs from what was written; empty if it doesn't. */
    private Optional<String> refused(String key, String value) throws InterruptedException {
        if (unshare.isEmpty()) {
            return Optional.empty();
        }
        Optional<Tried.Said> said = Tried.run(
                unshare.get(), List.of("-r", "-n", "sh", "-c", SCRIPT, "sh", key.replace('.', '/'), value), folder);
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
