package dev.fettle.lab.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.audit.Probe;
import dev.fettle.insight.audit.Probe.Outcome;
import dev.fettle.model.audit.FoundSetting;
import dev.fettle.model.audit.FoundSetting.Place;
import dev.fettle.model.audit.Release;
import dev.fettle.model.audit.SettingKind;
import dev.fettle.watch.host.Proc;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SysctlProbeTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({
        "128, 128, true",
        "1024 65535, '1024\t65535', true",
        "4096 87380, '4096\t87380\t6291456', true",
        "0x10, 16, true",
        "010, 8, true",
        "010, 10, false",
        "99999, 65535, false",
        "1 2 3, 1 2, false",
        "bbr, bbr, true",
        "bbr, cubic, false"
    })
    void aValueIsReadBackAsTheKernelWritesIt(String written, String now, boolean same) {
        assertThat(SysctlProbe.isSame(written, now)).isEqualTo(same);
    }

    /** What each network namespace has a value of its own of; the whole machine's is set by nobody, whatever it is called. */
    @ParameterizedTest
    @CsvSource({
        "net.core.somaxconn, 6.18, true",
        "net.core.somaxconn, 3.10, false",
        "net.ipv4.tcp_fin_timeout, 4.4, false",
        "net.ipv4.tcp_fin_timeout, 4.6, true",
        "net.ipv4.tcp_rmem, 4.14, false",
        "net.ipv4.tcp_rmem, 5.4, true",
        // of the whole machine, or so before 5.12
        "net.netfilter.nf_conntrack_max, 6.18, false",
        "net.netfilter.nf_conntrack_max, 5.10, false",
        "net.netfilter.nf_conntrack_buckets, 5.10, false",
        "net.nf_conntrack_max, 5.10, false",
        "net.ipv4.tcp_allowed_congestion_control, 5.10, false",
        "net.ipv4.tcp_mem, 6.18, false",
        "net.core.rmem_max, 6.18, false",
        "net.core.default_qdisc, 6.18, false",
        "net.ipv4.route.gc_timeout, 6.18, false",
        "net.ipv4.neigh.default.gc_thresh3, 6.18, false",
        "net.ipv4.no_such_setting, 6.18, false",
        "kernel.core_pattern, 6.18, false",
        "vm.swappiness, 6.18, false"
    })
    void onlyWhatANamespaceHasIsSet(String key, String kernel, boolean may) {
        assertThat(SysctlProbe.isOfANamespace(key, Release.of(kernel))).isEqualTo(may);
    }

    /** A text that names a key must not make an audit show it. */
    @Test
    void whatOnlyRootMayReadIsNotShown() throws Exception {
        Assumptions.assumeTrue(
                java.nio.file.Files.exists(Path.of("/proc/sys/net/ipv4/tcp_fastopen_key")), "no such key");
        List<Probe> said = new SysctlProbe(new Proc(), Optional.empty(), Release.of("6.1"), folder)
                .probe(List.of(new FoundSetting(
                        SettingKind.SYSCTL, "net.ipv4.tcp_fastopen_key", "1-2-3-4", new Place("f", 1))));
        assertThat(said).isEmpty();
    }

    /** The kernel answers in a network namespace of the test's own. */
    @Test
    void whatTheKernelRefusesIsToldOfThatValueOnly() throws Exception {
        Optional<TrustedProgram> unshare = TrustedProgram.onPath("unshare", System.getenv("PATH"));
        boolean may = unshare.isPresent()
                && Tried.run(unshare.get(), List.of("-r", "-n", "test", "-w", "/proc/sys/net/core/somaxconn"), folder)
                        .filter(s -> s.code() == 0)
                        .isPresent();
        Assumptions.assumeTrue(may, "no namespace may be made here");
        List<FoundSetting> found = Stream.of(
                        "net.core.somaxconn = abc",
                        "net.core.somaxconn = 128",
                        "net.core.somaxconn = 128 256",
                        "net.ipv4.ip_local_port_range = 50000 40000",
                        "net.ipv4.tcp_congestion_control = bbrr",
                        "net.ipv4.tcp_congestion_control = vegas",
                        "net.ipv4.ping_group_range = 0 2147483647",
                        "net.core.rmem_max = abc")
                .map(l -> l.split(" = "))
                .map(l -> new FoundSetting(SettingKind.SYSCTL, l[0], l[1], new Place("f", 1)))
                .toList();
        List<Probe> said = new SysctlProbe(new Proc(), unshare, Release.of("6.1"), folder).probe(found);
        assertThat(said)
                .filteredOn(p -> p.outcome() == Outcome.CHANGED)
                .extracting(p -> p.setting() + ": " + p.words())
                .containsExactlyInAnyOrder(
                        "net.core.somaxconn = abc: it does not take the value 'abc'",
                        "net.core.somaxconn = 128 256: it makes '128' of it",
                        "net.ipv4.ip_local_port_range = 50000 40000: it does not take the value '50000 40000'",
                        "net.ipv4.tcp_congestion_control = bbrr: it does not take the value 'bbrr'");
        assertThat(said)
                .filteredOn(p -> p.setting().equals("net.core.somaxconn"))
                .extracting(Probe::outcome)
                .containsExactly(Outcome.ACCEPTED);
    }
}
