package dev.fettle.insight.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.audit.AuditFinding.Basis;
import dev.fettle.insight.audit.Probe.Outcome;
import dev.fettle.model.audit.AuditContext;
import dev.fettle.model.audit.AuditRules;
import dev.fettle.model.audit.AuditVerdict;
import dev.fettle.model.audit.FoundSetting;
import dev.fettle.model.audit.FoundSetting.Place;
import dev.fettle.model.audit.Release;
import dev.fettle.model.audit.SettingKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Values that a setting can't have, and trials that say something of them, or only of the name. */
class AuditValuesTest {
    private static AuditContext context(String jdk, String tomcat) {
        return new AuditContext(
                Map.of(
                        "kernel", Release.of("6.18"),
                        "jdk", Release.of(jdk),
                        "tomcat", Release.of(tomcat),
                        "jetty", Release.of("12.1"),
                        "spring", Release.of("4.1")),
                Map.of());
    }

    private static FoundSetting set(String kind, String name, String value) {
        SettingKind k = SettingKind.valueOf(kind.toUpperCase(Locale.ROOT));
        return new FoundSetting(k, name, value, new Place("f", 1, 100, 110, 100), "s");
    }

    private static AuditFinding on(AuditContext c, List<Probe> probes, FoundSetting f, FoundSetting... beside) {
        var all = new ArrayList<>(List.of(beside));
        all.add(f);
        return new Auditor(AuditRules.all(), c, probes)
                .audit(all, List.of()).findings().stream()
                        .filter(a -> a.found().equals(f))
                        .findFirst()
                        .orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({
        "spring, server.http2.enabled, ture, wrong",
        "spring, server.http2.enabled, True, situational",
        "spring, server.http2.enabled, on, situational",
        "spring, server.http2.enabled, no, default",
        "spring, server.http2.enabled, 0, default",
        "spring, server.compression.enabled, yes please, wrong",
        "spring, server.tomcat.accesslog.enabled, enabled, wrong",
        "spring, server.tomcat.accesslog.enabled, ${log}, situational",
        "spring, spring.jpa.show-sql, yes, dangerous",
        "spring, spring.datasource.hikari.auto-commit, off, situational",
        "spring, server.tomcat.connection-timeout, abc, wrong",
        "spring, server.tomcat.connection-timeout, 30min, wrong",
        "spring, server.tomcat.connection-timeout, PT20S, valid",
        "spring, server.tomcat.connection-timeout, 20000, valid",
        "spring, server.jetty.threads.max, 1x, wrong",
        "spring, spring.datasource.hikari.connection-timeout, 30s, wrong",
        "spring, spring.datasource.hikari.max-lifetime, 10m, wrong",
        "spring, spring.datasource.hikari.max-lifetime, 600000, situational",
        "spring, spring.datasource.hikari.idle-timeout, 5min, wrong",
        "spring, spring.datasource.hikari.leak-detection-threshold, ${leak}, situational",
        "spring, server.tomcat.max-connections, 8k, wrong",
        "tomcat, Connector.connectionTimeout, 20s, wrong",
        "tomcat, Connector.redirectPort, abc, wrong",
        "tomcat, Connector.maxThreads, N, situational",
        "tomcat, Connector.compressionMinSize, 2KB, default",
        "tomcat, Connector.protocol, org.apache.coyote.http11.NoSuchProtocol, wrong",
        "tomcat, Connector.protocol, org.apache.coyote.http11.Http11Nio2Protocol, situational",
        "tomcat, Connector.protocol, org.apache.coyote.ajp.AjpNioProtocol, fatal",
        "tomcat, Connector.protocol, HTTP/2, wrong",
        "tomcat, Connector.protocol, com.example.OwnProtocol, situational",
        "tomcat, Connector.protocol, ${protocol}, valid",
        "tomcat, Executor.className, org.apache.catalina.core.NoSuchExecutor, wrong",
        "tomcat, Executor.className, StandardVirtualThreadExecutor, wrong",
        "tomcat, Executor.className, org.apache.catalina.core.StandardVirtualThreadExecutor, valid",
        "tomcat, Executor.className, org.apache.catalina.core.StandardThreadExecutor, default",
        "tomcat, Executor.className, com.example.OwnExecutor, situational",
        "tomcat, Connector.keystoreFile, k.jks, removed",
    })
    void whatASettingCannotBeIsWrong(String kind, String name, String value, String verdict) {
        assertThat(on(context("25", "11"), List.of(), set(kind, name, value))
                        .verdict()
                        .id())
                .isEqualTo(verdict);
    }

    /** It does not help that virtual threads have no such bound: the application does not start. */
    @ParameterizedTest
    @CsvSource({"lots, true, wrong", "300, true, no-effect", "300, on, no-effect", "300, off, situational"})
    void aNumberIsOneWhateverStandsBeside(String threads, String virtual, String verdict) {
        assertThat(on(
                                context("25", "11"),
                                List.of(),
                                set("spring", "server.tomcat.threads.max", threads),
                                set("spring", "spring.threads.virtual.enabled", virtual))
                        .verdict()
                        .id())
                .isEqualTo(verdict);
    }

    @ParameterizedTest
    @CsvSource({
        "keystoreFile, 11, removed, certificateKeystoreFile of <SSLHostConfig><Certificate>",
        "keystorePass, 10.1, removed, certificateKeystorePassword of <SSLHostConfig><Certificate>",
        "keyPass, 11, removed, certificateKeyPassword of <SSLHostConfig><Certificate>",
        "keyPass, 9, situational, certificateKeyPassword of <SSLHostConfig><Certificate>",
        "clientAuth, 11, removed, certificateVerification of <SSLHostConfig>",
        "keystoreFile, 8.0, valid, ''"
    })
    void tlsHasAPlaceOfItsOwn(String name, String tomcat, String verdict, String instead) {
        FoundSetting f = set("tomcat", "Connector." + name, "x");
        Probe absent =
                new Probe("Connector." + name, "Tomcat 11", Outcome.ABSENT, "no such property", Optional.empty());
        AuditFinding a = on(context("25", tomcat), verdict.equals("removed") ? List.of(absent) : List.of(), f);
        assertThat(a.verdict().id()).isEqualTo(verdict);
        assertThat(a.instead()).isEqualTo(instead);
        assertThat(a.disagreement()).isEmpty();
    }

    /** A namespace of its own was asked: the kernel's answer to one value is no answer to another. */
    @Test
    void aValueThatTheKernelRefusesIsWrong() {
        List<Probe> probes = List.of(
                probe("net.ipv4.tcp_congestion_control", Outcome.ACCEPTED, ""),
                probe("net.ipv4.tcp_congestion_control = bbrr", Outcome.CHANGED, "it does not take the value 'bbrr'"));
        AuditFinding f = on(context("25", "11"), probes, set("sysctl", "net.ipv4.tcp_congestion_control", "bbrr"));
        assertThat(f.verdict()).isEqualTo(AuditVerdict.WRONG);
        assertThat(f.basis()).isEqualTo(Basis.PROBED);
        assertThat(f.why()).isEqualTo("Linux says: it does not take the value 'bbrr'");
        assertThat(f.disagreement()).as("no rule spoke of that value").isEmpty();
        assertThat(on(context("25", "11"), probes, set("sysctl", "net.ipv4.tcp_congestion_control", "bbr"))
                        .verdict())
                .isEqualTo(AuditVerdict.SITUATIONAL);
        // what a rule found wrong, too, is not wrong twice
        AuditFinding word = on(
                context("25", "11"),
                List.of(probe("vm.swappiness = abc", Outcome.CHANGED, "it does not take the value 'abc'")),
                set("sysctl", "vm.swappiness", "abc"));
        assertThat(word.why()).startsWith("It is a number");
        assertThat(word.basis()).isEqualTo(Basis.PROBED);
    }

    private static Probe probe(String setting, Outcome outcome, String words) {
        return new Probe(setting, "Linux", outcome, words, Optional.empty());
    }

    /** A rule about the name can be refuted by the name; one about the value can't. */
    @ParameterizedTest
    @CsvSource({
        "tomcat, Connector.protocol, org.apache.coyote.http11.Http11AprProtocol, fatal, value HTTP/1.1",
        "jetty, jetty.threadPool.maxThreads, 2, fatal, ''",
        "tomcat, Connector.acceptorThreadCount, 4, situational, ''",
        "tomcat, Connector.protocol, org.apache.coyote.http11.NoSuchProtocol, wrong, ''"
    })
    void aTrialOfTheNameSaysNothingOfTheValue(String kind, String name, String value, String verdict, String fix) {
        AuditFinding f = on(context("25", "11"), List.of(probe(name, Outcome.ACCEPTED, "")), set(kind, name, value));
        assertThat(f.verdict().id()).isEqualTo(verdict);
        assertThat(f.fix()).isEqualTo(fix);
        assertThat(f.disagreement().isPresent()).isEqualTo(verdict.equals("situational"));
    }

    /** HotSpot's is_server_class_machine: two processors, and 1792 MiB. */
    @ParameterizedTest
    @CsvSource({
        "container, cpu, 500m, 25, situational",
        "container, cpu, 0.5, 25, situational",
        "container, cpu, 1, 25, situational",
        "container, cpu, 1001m, 25, default",
        "container, cpu, 2, 25, default",
        "container, cpu, 0, 25, default",
        "limit, CPUQuota, 100%, 25, situational",
        "limit, CPUQuota, 150%, 25, default",
        "container, memory, 1791Mi, 25, situational",
        "container, memory, 1792Mi, 25, default",
        "limit, MemoryMax, 1G, 25, situational",
        "container, requests.cpu, 500m, 25, default",
        "container, cpu, 500m, 17, situational"
    })
    void underASmallLimitG1IsNoDefault(String kind, String name, String value, String jdk, String verdict) {
        FoundSetting g1 = set("jvm", "-XX:UseG1GC", "true");
        FoundSetting limit = set(kind, name, value);
        Probe taken = new Probe("-XX:+UseG1GC", "JDK " + jdk, Outcome.ACCEPTED, "", Optional.of("true"));
        AuditFinding f = on(context(jdk, "11"), List.of(taken), g1, limit);
        assertThat(f.verdict().id()).isEqualTo(verdict);
        if (verdict.equals("situational")) {
            assertThat(f.why()).contains("serial collector", value);
        }
        boolean cpu = name.equals("cpu") || name.equals("CPUQuota");
        FoundSetting counted = set("jvm", "-XX:ActiveProcessorCount", "2");
        assertThat(on(context(jdk, "11"), List.of(), g1, limit, counted)
                        .verdict()
                        .id())
                .isEqualTo(cpu ? "default" : verdict);
    }
}
