package dev.fettle.insight.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.audit.AuditFinding.Basis;
import dev.fettle.insight.audit.Probe.Outcome;
import dev.fettle.model.audit.AuditContext;
import dev.fettle.model.audit.AuditRule;
import dev.fettle.model.audit.AuditRules;
import dev.fettle.model.audit.AuditVerdict;
import dev.fettle.model.audit.FoundSetting;
import dev.fettle.model.audit.FoundSetting.Place;
import dev.fettle.model.audit.Release;
import dev.fettle.model.audit.SettingKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AuditorTest {
    private static AuditContext context(String kernel, String jdk, String tomcat) {
        return new AuditContext(
                Map.of(
                        "kernel", Release.of(kernel),
                        "jdk", Release.of(jdk),
                        "tomcat", Release.of(tomcat),
                        "jetty", Release.of("12.1"),
                        "spring", Release.of("4.1")),
                Map.of());
    }

    private static FoundSetting set(SettingKind kind, String name, String value, int line) {
        return new FoundSetting(kind, name, value, new Place("f", line, line * 100, line * 100 + 10, line * 100), "s");
    }

    private static List<AuditFinding> audit(AuditContext c, List<Probe> probes, FoundSetting... found) {
        return new Auditor(AuditRules.all(), c, probes)
                .audit(List.of(found), List.of())
                .findings();
    }

    private static AuditVerdict verdict(AuditContext c, SettingKind kind, String name, String value) {
        return audit(c, List.of(), set(kind, name, value, 1)).getFirst().verdict();
    }

    /** Near misses beside each other: the same setting for releases and values on both sides of a line. */
    @ParameterizedTest
    @CsvSource({
        "jvm, -XX:UseConcMarkSweepGC, true, 6.18, 25, 11, fatal",
        "jvm, -XX:UseConcMarkSweepGC, true, 6.18, 14, 11, no-effect",
        "jvm, -XX:UseConcMarkSweepGC, true, 6.18, 11, 11, situational",
        "jvm, -XX:PermSize, 256m, 6.18, 17, 11, fatal",
        "jvm, -XX:PermSize, 256m, 6.18, 11, 11, no-effect",
        "jvm, -Xss, 128k, 6.18, 25, 11, fatal",
        "jvm, -Xss, 136k, 6.18, 25, 11, situational",
        "jvm, -Xss, 1m, 6.18, 25, 11, default",
        "sysctl, net.core.somaxconn, 4096, 6.18, 25, 11, default",
        "sysctl, net.core.somaxconn, 4096, 4.18, 25, 11, situational",
        "sysctl, net.core.somaxconn, 1024, 6.18, 25, 11, lowers",
        "sysctl, net.ipv4.tcp_tw_recycle, 1, 4.12, 25, 11, removed",
        "sysctl, net.ipv4.tcp_tw_recycle, 1, 4.11, 25, 11, dangerous",
        "sysctl, net.ipv4.tcp_rmem, 4096 131072 16777216, 6.16, 25, 11, lowers",
        "sysctl, net.ipv4.tcp_rmem, 4096 131072 16777216, 6.15, 25, 11, situational",
        "sysctl, vm.swappiness, 0, 6.18, 25, 11, dangerous",
        "sysctl, vm.swappiness, 1, 6.18, 25, 11, situational",
        "sysctl, vm.swappiness, 60, 6.18, 25, 11, default",
        "sysctl, vm.vfs_cache_pressure, 0, 6.18, 25, 11, dangerous",
        "sysctl, vm.vfs_cache_pressure, 50, 6.18, 25, 11, no-effect",
        "sysctl, vm.min_free_kbytes, 1000, 6.18, 25, 11, dangerous",
        "sysctl, vm.min_free_kbytes, 65536, 6.18, 25, 11, situational",
        "jvm, -XX:MaxMetaspaceSize, 24m, 6.18, 25, 11, dangerous",
        "jvm, -XX:MaxMetaspaceSize, 32m, 6.18, 25, 11, situational",
        "container, FROM, $BASE_IMAGE, 6.18, 25, 11, valid",
        "container, FROM, tomcat, 6.18, 25, 11, situational",
        "container, FROM, postgres:16, 6.18, 25, 11, valid",
        "container, FROM, redis:7, 6.18, 25, 11, valid",
        "container, FROM, node:16-bookworm, 6.18, 25, 11, valid",
        "container, FROM, debian:12, 6.18, 25, 11, valid",
        "container, FROM, jetty:12.1, 6.18, 25, 11, valid",
        "container, FROM, tomcat:10.1, 6.18, 25, 11, valid",
        "container, FROM, tomcat:10.1-jdk11, 6.18, 25, 11, situational",
        "container, FROM, tomcat:10.1-jdk17, 6.18, 25, 11, valid",
        "container, FROM, maven:3.9-eclipse-temurin-11, 6.18, 25, 11, situational",
        "container, FROM, eclipse-temurin:8u392-b08-jre, 6.18, 25, 11, situational",
        "container, FROM, eclipse-temurin:11, 6.18, 25, 11, situational",
        "container, FROM, eclipse-temurin:17.0.9_9-jre, 6.18, 25, 11, valid",
        "container, FROM, mcr.microsoft.com/openjdk/jdk:11-ubuntu, 6.18, 25, 11, situational",
        "container, FROM, ghcr.io/graalvm/app:11, 6.18, 25, 11, valid",
        "jvm, -XX:TieredStopAtLevel, 0, 6.18, 25, 11, lowers",
        "jvm, -XX:TieredStopAtLevel, 4, 6.18, 25, 11, default",
        "spring, server.tomcat.uri-encoding, GBK, 6.18, 25, 11, situational",
        "spring, server.tomcat.uri-encoding, utf-8, 6.18, 25, 11, default",
        "spring, server.tomcat.connection-timeout, 500ms, 6.18, 25, 11, valid",
        "spring, server.tomcat.connection-timeout, 0, 6.18, 25, 11, dangerous",
        "spring, server.tomcat.connection-timeout, -1, 6.18, 25, 11, dangerous",
        "jetty, acceptorPriorityDelta, 0, 6.18, 25, 11, no-effect",
        "jetty, acceptorPriorityDelta, -2, 6.18, 25, 11, default",
        "nginx, sendfile_max_chunk, 4m, 6.18, 25, 11, situational",
        "nginx, sendfile_max_chunk, 1m, 6.18, 25, 11, lowers",
        "nginx, proxy_connect_timeout, 1m, 6.18, 25, 11, situational",
        "jvm, -XX:UseCompactObjectHeaders, true, 6.18, 24, 11, fatal",
        "tomcat, Resource.maxActive, 20, 6.18, 25, 11, renamed",
        "tomcat, Resource.maxActive, 20, 6.18, 25, 7, valid",
        "jetty, --module, deploy, 6.18, 25, 11, removed",
        "jetty, --module, plus, 6.18, 25, 11, valid",
        "jetty, --module, annotations, 6.18, 25, 11, valid",
        "spring, spring.datasource.tomcat.max-active, 100, 6.18, 25, 11, default",
        "spring, spring.datasource.tomcat.max-active, 10, 6.18, 25, 11, situational",
        "tomcat, Connector.compressableMimeType, text/html, 6.18, 25, 11, renamed",
        "tomcat, Executor.prestartminSpareThreads, true, 6.18, 25, 11, removed",
        "tomcat, Executor.prestartminSpareThreads, true, 6.18, 25, 8.5, situational",
        "tomcat, Connector.maxThreads, 200, 6.18, 25, 11, default",
        "tomcat, Connector.maxThreads, 3001, 6.18, 25, 11, dangerous",
        "tomcat, Connector.maxThreads, lots, 6.18, 25, 11, wrong",
        "tomcat, Connector.maxThreads, ${threads}, 6.18, 25, 11, situational",
        "tomcat, Connector.connectionTimeout, abc, 6.18, 25, 11, wrong",
        "tomcat, Connector.connectionTimeout, 20000, 6.18, 25, 11, valid",
        "sysctl, vm.swappiness, abc, 6.18, 25, 11, wrong",
        "spring, server.tomcat.threads.max, many, 6.18, 25, 11, wrong",
        "limit, hard nofile, 16384, 6.18, 25, 11, lowers",
        "limit, hard nofile, 65536, 6.18, 25, 11, situational"
    })
    void aVerdictDependsOnReleaseAndValue(
            String kind, String name, String value, String kernel, String jdk, String tomcat, String verdict) {
        SettingKind k = SettingKind.valueOf(kind.toUpperCase(java.util.Locale.ROOT));
        assertThat(verdict(context(kernel, jdk, tomcat), k, name, value).id()).isEqualTo(verdict);
    }

    /** The JVM rounds a limit up: with 1.5 CPUs it sees two, and takes G1. */
    @ParameterizedTest
    @CsvSource({
        "cpu, 500m, true",
        "cpu, 1000m, true",
        "cpu, 1001m, false",
        "cpu, 1500m, false",
        "cpu, 0.5, true",
        "cpu, 1, true",
        "cpu, 1.0, true",
        "cpu, 1.5, false",
        "cpu, 2, false",
        "CPUQuota, 100%, true",
        "CPUQuota, 150%, false"
    })
    void theSerialCollectorIsForOneCpu(String name, String value, boolean one) {
        SettingKind kind = name.equals("cpu") ? SettingKind.CONTAINER : SettingKind.LIMIT;
        assertThat(audit(TODAY, List.of(), set(kind, name, value, 1)).getFirst().why())
                .startsWith(one ? "With one CPU, or less" : "All threads stop together");
    }

    private static final AuditContext TODAY = context("6.18", "25", "11");

    /** Where the last case says "default", only one value gets there. */
    @Test
    void onlyOneValueIsTheDefault() {
        for (AuditRule r : AuditRules.all().rules()) {
            AuditRule.Case last = r.cases().getLast();
            if (last.verdict() == AuditVerdict.DEFAULT) {
                assertThat(values(r)
                                .filter(v -> audit(TODAY, List.of(), set(r.kind(), r.name(), v, 1)).stream()
                                        .anyMatch(f ->
                                                f.why().equals(last.why()) && f.verdict() == AuditVerdict.DEFAULT)))
                        .as(r.name())
                        .hasSizeLessThan(2);
            }
        }
    }

    /** Values of a rule's type, as its default shows it. */
    private static Stream<String> values(AuditRule r) {
        String like = r.byDefault().isEmpty() ? r.cases().toString() : r.byDefault();
        if (like.matches("(?s)(on|off)\\b.*")) {
            return Stream.of("on", "off");
        }
        if (TO_TWO.contains(r.name())) {
            return Stream.of("0", "1", "2");
        }
        boolean bits = r.name().equals("net.ipv4.tcp_fastopen");
        if (Set.of("0", "1").contains(like) && !bits || r.name().endsWith("disable_ipv6")) {
            return Stream.of("0", "1");
        }
        if (r.name().equals("-XX:TieredStopAtLevel")) {
            return Stream.of("0", "1", "2", "3", "4");
        }
        if (r.name().equals("-XX:NativeMemoryTracking")) {
            return Stream.of("off", "summary", "detail");
        }
        return like.matches("-?\\d+\\b.*")
                ? Stream.of("0", "1", "2", "3", "4", "7")
                : Stream.of("true", "false", "UTF-8", "GBK")
                        .filter(v -> v.equals("true") || v.equals("false") || like.equals("UTF-8"));
    }

    /** The kernel takes no more than 2. */
    private static final Set<String> TO_TWO = Set.of("vm.overcommit_memory", "kernel.randomize_va_space");

    /** Whose pool it is decides what its settings are called. */
    @ParameterizedTest
    @CsvSource({
        "org.apache.tomcat.jdbc.pool.DataSourceFactory, valid",
        "com.alibaba.druid.pool.DruidDataSourceFactory, valid",
        "org.apache.commons.dbcp.BasicDataSourceFactory, valid",
        "org.apache.tomcat.dbcp.dbcp2.BasicDataSourceFactory, renamed",
        "com.zaxxer.hikari.HikariJNDIFactory, renamed"
    })
    void thePoolDecidesWhatItsSettingsAreCalled(String factory, String verdict) {
        FoundSetting max = set(SettingKind.TOMCAT, "Resource.maxActive", "20", 1);
        FoundSetting made = set(SettingKind.TOMCAT, "Resource.factory", factory, 1);
        assertThat(audit(TODAY, List.of(), max, made).stream()
                        .filter(f -> f.found().equals(max))
                        .map(f -> f.verdict().id()))
                .containsExactly(verdict);
    }

    @Test
    void whatAnotherSettingUnlocksOrSpoils() {
        FoundSetting compact = set(SettingKind.JVM, "-XX:UseCompactObjectHeaders", "true", 1);
        FoundSetting unlock = set(SettingKind.JVM, "-XX:UnlockExperimentalVMOptions", "true", 1);
        assertThat(audit(context("6.18", "24", "11"), List.of(), compact, unlock))
                .filteredOn(f -> f.found().equals(compact))
                .extracting(AuditFinding::verdict)
                .containsExactly(AuditVerdict.SITUATIONAL);
        FoundSetting keep = set(SettingKind.NGINX, "keepalive", "32", 1);
        FoundSetting http = set(SettingKind.NGINX, "proxy_http_version", "1.1", 2);
        FoundSetting header = set(SettingKind.NGINX, "proxy_set_header Connection", "\"\"", 3);
        assertThat(audit(TODAY, List.of(), keep, http))
                .filteredOn(f -> f.found().equals(keep))
                .extracting(AuditFinding::verdict)
                .containsExactly(AuditVerdict.NO_EFFECT);
        assertThat(audit(TODAY, List.of(), keep, http, header))
                .filteredOn(f -> f.found().equals(keep))
                .extracting(AuditFinding::verdict)
                .containsExactly(AuditVerdict.VALID);
    }

    /** A profile's document takes the place of the first one only where the profile is active. */
    @Test
    void documentsOfOneFileAreNotTheSameSettingTwice() {
        FoundSetting all = spring("server.tomcat.threads.max", "200", "", 1);
        FoundSetting prod = spring("server.tomcat.threads.max", "400", "profile prod", 3);
        assertThat(ids(all, prod)).isEmpty();
        assertThat(ids(all, spring("server.tomcat.threads.max", "400", "", 3)))
                .containsExactly("server.tomcat.threads.max no-effect together-twice");
        // what the first document sets holds in the profile, and not the other way round
        String batch = "spring.jpa.properties.hibernate.jdbc.batch_size";
        String order = "spring.jpa.properties.hibernate.order_inserts";
        assertThat(audit(TODAY, List.of(), spring(order, "true", "profile a", 9), spring(batch, "30", "", 1)))
                .filteredOn(f -> f.found().name().equals(order))
                .extracting(AuditFinding::verdict)
                .containsExactly(AuditVerdict.SITUATIONAL);
        assertThat(audit(TODAY, List.of(), spring(order, "true", "", 1), spring(batch, "30", "profile a", 9)))
                .filteredOn(f -> f.found().name().equals(order))
                .extracting(AuditFinding::verdict)
                .containsExactly(AuditVerdict.NO_EFFECT);
    }

    private static FoundSetting spring(String name, String value, String scope, int line) {
        return new FoundSetting(SettingKind.SPRING, name, value, new Place("application.yml", line), scope);
    }

    /** A script's branch for an old JDK is no fault; what it adds anyway is. */
    @Test
    void whatOnlyABranchSetsIsSaidSo() {
        FoundSetting always = set(SettingKind.JVM, "-XX:PermSize", "1m", 1);
        FoundSetting branch = new FoundSetting(
                SettingKind.JVM, "-XX:PermSize", "1m", always.place(), FoundSetting.onlyIf("[ $V -lt 9 ]"));
        assertThat(audit(TODAY, List.of(), always).getFirst().verdict()).isEqualTo(AuditVerdict.FATAL);
        AuditFinding f = audit(TODAY, List.of(), branch).getFirst();
        assertThat(f.verdict()).isEqualTo(AuditVerdict.SITUATIONAL);
        assertThat(f.why()).startsWith("Fatal as judged here, but set only if [ $V -lt 9 ]. The permanent");
        assertThat(f.fix()).isEmpty();
        FoundSetting fine = new FoundSetting(SettingKind.JVM, "-Xmx", "1g", always.place(), branch.scope());
        assertThat(audit(TODAY, List.of(), fine).getFirst().why()).doesNotContain("only if");
    }

    /** Nobody has to have set what is read from the running kernel. */
    @Test
    void aValueInForceThatTheKernelSizesIsNotCalledASetting() {
        FoundSetting inFile = set(SettingKind.SYSCTL, "net.ipv4.tcp_mem", "189000 252000 378000", 1);
        assertThat(audit(TODAY, List.of(), inFile).getFirst().verdict()).isEqualTo(AuditVerdict.SITUATIONAL);
        AuditFinding f = audit(
                        TODAY,
                        List.of(),
                        new FoundSetting(inFile.kind(), inFile.name(), inFile.value(), inFile.place(), "live"))
                .getFirst();
        assertThat(f.verdict()).isEqualTo(AuditVerdict.VALID);
        assertThat(f.why())
                .isEqualTo(
                        "It may be the default, which depends on the machine, the kernel's version or the distribution.");
    }

    /** The kernel's own answer stands for the comparison with somaxconn. */
    @Test
    void aQueueThatWasCutIsToldOnce() {
        FoundSetting accept = set(SettingKind.TOMCAT, "Connector.acceptCount", "5000", 1);
        FoundSetting cap = set(SettingKind.SYSCTL, "net.core.somaxconn", "4096", 2);
        assertThat(ids(accept, cap)).hasSize(1);
        assertThat(ids(accept, cap, set(SettingKind.HOST, "backlog of the socket", "4096", 3)))
                .containsExactly("Connector.acceptCount no-effect together-backlog");
    }

    @Test
    void settingsCancelEachOther() {
        FoundSetting reuse = set(SettingKind.SYSCTL, "net.ipv4.tcp_tw_reuse", "1", 1);
        assertThat(audit(TODAY, List.of(), reuse).getFirst().verdict()).isEqualTo(AuditVerdict.SITUATIONAL);
        assertThat(audit(TODAY, List.of(), reuse, set(SettingKind.SYSCTL, "net.ipv4.tcp_timestamps", "0", 2)))
                .filteredOn(f -> f.found().equals(reuse))
                .extracting(AuditFinding::verdict)
                .containsExactly(AuditVerdict.NO_EFFECT);
    }

    private static List<String> ids(FoundSetting... found) {
        return audit(TODAY, List.of(), found).stream()
                .filter(f -> f.id().startsWith("together-"))
                .map(f -> f.found().name() + " " + f.verdict().id() + " " + f.id())
                .toList();
    }

    @Test
    void conflictsAndTheirNearMisses() {
        SettingKind t = SettingKind.TOMCAT;
        assertThat(ids(
                        set(t, "Connector.acceptCount", "5000", 1),
                        set(SettingKind.SYSCTL, "net.core.somaxconn", "4096", 2)))
                .contains("Connector.acceptCount no-effect together-backlog");
        assertThat(ids(
                        set(t, "Connector.acceptCount", "4096", 1),
                        set(SettingKind.SYSCTL, "net.core.somaxconn", "4096", 2)))
                .isEmpty();
        assertThat(ids(set(t, "Connector.minSpareThreads", "300", 1), set(t, "Connector.maxThreads", "200", 2)))
                .containsExactly("Connector.minSpareThreads wrong together-order");
        assertThat(ids(set(t, "Connector.minSpareThreads", "200", 1), set(t, "Connector.maxThreads", "200", 2)))
                .isEmpty();
        assertThat(ids(set(SettingKind.JVM, "-Xms", "3g", 1), set(SettingKind.JVM, "-Xmx", "2048m", 2)))
                .containsExactly("-Xms fatal together-order");
        assertThat(ids(set(SettingKind.JVM, "-Xms", "2g", 1), set(SettingKind.JVM, "-Xmx", "2048m", 2)))
                .isEmpty();
        assertThat(ids(set(SettingKind.JVM, "-XX:UseG1GC", "true", 1), set(SettingKind.JVM, "-XX:UseZGC", "true", 1)))
                .containsExactly("-XX:UseZGC fatal together-collectors");
        assertThat(ids(set(SettingKind.JVM, "-XX:UseG1GC", "false", 1), set(SettingKind.JVM, "-XX:UseZGC", "true", 1)))
                .isEmpty();
        assertThat(ids(set(SettingKind.CONTAINER, "memory", "1Gi", 1), set(SettingKind.JVM, "-Xmx", "1g", 2)))
                .containsExactly("-Xmx dangerous together-memory");
        assertThat(ids(set(SettingKind.CONTAINER, "memory", "2Gi", 1), set(SettingKind.JVM, "-Xmx", "1g", 2)))
                .isEmpty();
        assertThat(ids(
                        set(SettingKind.CONTAINER, "memory", "2Gi", 1),
                        set(SettingKind.JVM, "-Xmx", "1g", 2),
                        set(SettingKind.JVM, "-Xss", "2m", 3),
                        set(t, "Connector.maxThreads", "500", 4)))
                .contains("-Xmx situational together-memory");
        assertThat(ids(
                        set(SettingKind.CONTAINER, "memory", "2Gi", 1),
                        set(SettingKind.JVM, "-Xmx", "1g", 2),
                        set(t, "Connector.maxThreads", "500", 4)))
                .doesNotContain("-Xmx situational together-memory");
        assertThat(ids(set(SettingKind.NGINX, "keepalive", "32", 1), set(t, "Connector.keepAliveTimeout", "20000", 2)))
                .containsExactly("Connector.keepAliveTimeout dangerous together-keepalive");
        assertThat(ids(set(SettingKind.NGINX, "keepalive", "32", 1), set(t, "Connector.keepAliveTimeout", "75000", 2)))
                .isEmpty();
    }

    /** {@code new StandardThreadExecutor()}, {@code setMaxThreads(24)}, {@code start()}: IllegalArgumentException, on Tomcat 11. */
    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "24, -, -, Executor.maxThreads fatal together-order",
                "25, -, -, -",
                "24, 24, -, -",
                "24, 25, -, Executor.minSpareThreads fatal together-order",
                "24, -, org.apache.catalina.core.StandardThreadExecutor, Executor.maxThreads fatal together-order",
                "24, -, my.Executor, -",
                "${most}, -, -, -"
            })
    void anExecutorNeedsRoomForItsSpareThreads(String most, String spare, String className, String id) {
        var found = new ArrayList<>(List.of(set(SettingKind.TOMCAT, "Executor.maxThreads", most, 1)));
        Optional.ofNullable(spare).ifPresent(s -> found.add(set(SettingKind.TOMCAT, "Executor.minSpareThreads", s, 2)));
        Optional.ofNullable(className).ifPresent(c -> found.add(set(SettingKind.TOMCAT, "Executor.className", c, 3)));
        assertThat(ids(found.toArray(FoundSetting[]::new))).isEqualTo(id == null ? List.of() : List.of(id));
    }

    /** Scripts have one line for each JDK, guides one for each size of machine. */
    @Test
    void alternativesInLinesOfTheirOwnAreNotHeldAgainstEachOther() {
        assertThat(ids(
                        set(SettingKind.JVM, "-Xms", "512m", 173),
                        set(SettingKind.JVM, "-Xmx", "512m", 173),
                        set(SettingKind.JVM, "-Xms", "2g", 179),
                        set(SettingKind.JVM, "-Xmx", "2g", 179)))
                .isEmpty();
        assertThat(ids(set(SettingKind.JVM, "-Xms", "4g", 173), set(SettingKind.JVM, "-Xmx", "2g", 179)))
                .containsExactly("-Xms fatal together-order");
    }

    @Test
    void theKernelSaysHowLongASocketsQueueIs() {
        assertThat(ids(
                        set(SettingKind.HOST, "backlog of the socket", "128", 0),
                        set(SettingKind.TOMCAT, "Connector.acceptCount", "1000", 0)))
                .containsExactly("Connector.acceptCount no-effect together-backlog");
        assertThat(ids(
                        set(SettingKind.HOST, "backlog of the socket", "100", 0),
                        set(SettingKind.TOMCAT, "Connector.acceptCount", "100", 0)))
                .isEmpty();
    }

    /** What one release lacks another may have, so only a directive that no rule knows is told, and as what it may be. */
    @Test
    void aDirectiveThatThisNginxLacksIsNotCalledGone() {
        FoundSetting known = set(SettingKind.NGINX, "proxy_buffering", "off", 1);
        FoundSetting typo = set(SettingKind.NGINX, "proxy_bufering", "off", 1);
        Probe lacks = probe("proxy_buffering off", Outcome.ABSENT, "unknown directive", "");
        assertThat(audit(TODAY, List.of(lacks), known).getFirst().basis()).isNotEqualTo(Basis.PROBED);
        AuditFinding told = audit(
                        TODAY, List.of(probe("proxy_bufering off", Outcome.ABSENT, "unknown directive", "")), typo)
                .getFirst();
        assertThat(told.verdict()).isEqualTo(AuditVerdict.SITUATIONAL);
        assertThat(told.why()).contains("unknown directive", "a later release");
    }

    @Test
    void anExecutorBehindItsConnectorIsIgnored() {
        SettingKind t = SettingKind.TOMCAT;
        var connector = new FoundSetting(t, "Connector.executor", "pool", new Place("f", 1, 100, 110, -1), "c");
        var threads = new FoundSetting(t, "Connector.maxThreads", "50", new Place("f", 1, 120, 130, -1), "c");
        var before = new FoundSetting(t, "Executor.name", "pool", new Place("f", 1, 10, 20, -1), "e");
        var behind = new FoundSetting(t, "Executor.name", "pool", new Place("f", 9, 900, 910, -1), "e");
        assertThat(ids(connector, threads, before)).containsExactly("Connector.maxThreads no-effect together-pool");
        assertThat(ids(connector, behind)).containsExactly("Executor.name wrong together-executor");
        assertThat(ids(connector)).containsExactly("Connector.executor wrong together-executor");
    }

    private static Probe probe(String setting, Outcome outcome, String words, String byDefault) {
        return new Probe(
                setting, "JDK 25", outcome, words, Optional.of(byDefault).filter(d -> !d.isEmpty()));
    }

    @Test
    void aProbeWinsAndTheDisagreementIsKept() {
        FoundSetting g1 = set(SettingKind.JVM, "-XX:UseG1GC", "true", 1);
        AuditFinding refused = audit(TODAY, List.of(probe("-XX:+UseG1GC", Outcome.REFUSED, "no such thing", "")), g1)
                .getFirst();
        assertThat(refused.verdict()).isEqualTo(AuditVerdict.FATAL);
        assertThat(refused.basis()).isEqualTo(Basis.PROBED);
        assertThat(refused.disagreement()).hasValueSatisfying(d -> assertThat(d).contains("default already"));
        FoundSetting cms = set(SettingKind.JVM, "-XX:UseConcMarkSweepGC", "true", 1);
        AuditFinding taken = audit(TODAY, List.of(probe("-XX:+UseConcMarkSweepGC", Outcome.ACCEPTED, "", "false")), cms)
                .getFirst();
        assertThat(taken.verdict()).isEqualTo(AuditVerdict.SITUATIONAL);
        assertThat(taken.disagreement()).isPresent();
        AuditFinding agrees = audit(
                        TODAY, List.of(probe("-XX:+UseConcMarkSweepGC", Outcome.REFUSED, "Unrecognized", "")), cms)
                .getFirst();
        assertThat(agrees.verdict()).isEqualTo(AuditVerdict.FATAL);
        assertThat(agrees.disagreement()).isEmpty();
    }

    @Test
    void whatNobodyKnowsIsTriedOrNotJudged() {
        FoundSetting f = set(SettingKind.JVM, "-XX:BogusFlagOfNobody", "true", 1);
        assertThat(audit(TODAY, List.of(), f).getFirst().verdict()).isEqualTo(AuditVerdict.UNKNOWN);
        assertThat(audit(TODAY, List.of(probe("-XX:+BogusFlagOfNobody", Outcome.REFUSED, "Unrecognized", "")), f)
                        .getFirst()
                        .verdict())
                .isEqualTo(AuditVerdict.FATAL);
        FoundSetting real = set(SettingKind.JVM, "-XX:StringTableSize", "65536", 1);
        assertThat(audit(TODAY, List.of(probe("-XX:StringTableSize=65536", Outcome.ACCEPTED, "", "65536")), real)
                        .getFirst()
                        .verdict())
                .isEqualTo(AuditVerdict.DEFAULT);
        assertThat(audit(TODAY, List.of(probe("-XX:StringTableSize=65536", Outcome.ACCEPTED, "", "1024")), real)
                        .getFirst()
                        .verdict())
                .isEqualTo(AuditVerdict.VALID);
    }

    @Test
    void theGravestComesFirst() {
        var all = new ArrayList<AuditVerdict>();
        audit(
                        TODAY,
                        List.of(),
                        set(SettingKind.SYSCTL, "vm.swappiness", "60", 1),
                        set(SettingKind.JVM, "-XX:PermSize", "1m", 2),
                        set(SettingKind.SYSCTL, "net.ipv4.tcp_fin_timeout", "5", 3))
                .forEach(f -> all.add(f.verdict()));
        assertThat(all).containsExactly(AuditVerdict.FATAL, AuditVerdict.NO_EFFECT, AuditVerdict.DEFAULT);
    }

    /** Whether a line has a counterpart is looked up; if it is searched for, for each pair, this takes minutes. */
    @Test
    @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void thousandsOfPairsAreComparedQuickly() {
        var many = new ArrayList<FoundSetting>();
        for (int i = 1; i <= 5000; i++) {
            many.add(set(SettingKind.TOMCAT, "Connector.minSpareThreads", "10", i));
            many.add(set(SettingKind.TOMCAT, "Connector.maxThreads", "200", 10_000 + i));
        }
        many.add(set(SettingKind.TOMCAT, "Connector.minSpareThreads", "300", 20_000));
        many.add(set(SettingKind.TOMCAT, "Connector.maxThreads", "299", 20_000));
        assertThat(ConflictChecks.of(many, TODAY))
                .filteredOn(f -> f.id().equals("together-order"))
                .singleElement()
                .satisfies(f -> assertThat(f.found().place().line()).isEqualTo(20_000));
    }

    /** A name is misspelt if it is one letter away; other names are settings that are not known here. */
    @ParameterizedTest
    @CsvSource({
        "TOMCAT, Connector.maxThraeds, typo",
        "TOMCAT, Connector.maxThreds, typo",
        "TOMCAT, Connector.maxtHreads, typo",
        "TOMCAT, Resource.maxAge, unknown", // tomcat-jdbc has it
        "TOMCAT, Connector.maxThxyads, unknown",
        "JVM, -XX:UseAVX, unknown",
        "JVM, -XX:UseG1CG, unknown", // with a digit
        "JVM, -XX:UseSerialCG, typo",
    })
    void aNameIsMisspeltIfItIsOneLetterAway(SettingKind kind, String name, String verdict) {
        assertThat(verdict(TODAY, kind, name, "2").id()).isEqualTo(verdict);
    }

    @ParameterizedTest
    @CsvSource({"10000, 11, situational", "10000, 8.0, default", "8192, 11, default"})
    void aDefaultIsThatOfTheRelease(String connections, String tomcat, String verdict) {
        assertThat(verdict(context("6.18", "25", tomcat), SettingKind.TOMCAT, "Connector.maxConnections", connections)
                        .id())
                .isEqualTo(verdict);
    }

    /** An application that has another pool, or another server, is not told to write what is HikariCP's or Tomcat's. */
    @ParameterizedTest
    @CsvSource({
        "spring.datasource.max-active, spring.datasource.type, com.zaxxer.hikari.HikariDataSource, removed, name spring.datasource.hikari.maximum-pool-size",
        "spring.datasource.max-active, spring.datasource.url, x, removed, name spring.datasource.hikari.maximum-pool-size",
        "spring.datasource.max-active, spring.datasource.type, com.alibaba.druid.pool.DruidDataSource, situational, ''",
        "spring.datasource.min-idle, spring.datasource.type, org.apache.commons.dbcp2.BasicDataSource, situational, ''",
        "spring.datasource.max-wait, spring.datasource.type, org.apache.tomcat.jdbc.pool.DataSource, situational, ''",
        "spring.datasource.max-idle, spring.datasource.druid.filters, stat, situational, ''",
        "server.connection-timeout, server.tomcat.threads.max, 9, removed, name server.tomcat.connection-timeout",
        "server.connection-timeout, server.jetty.threads.max, 9, removed, name server.jetty.connection-idle-timeout",
        "server.connection-timeout, server.undertow.threads.io, 9, removed, name server.undertow.no-request-timeout",
    })
    void anotherPoolOrServerDecides(String name, String besides, String value, String verdict, String fix) {
        assertThat(audit(TODAY, List.of(), spring(name, "9", "", 1), spring(besides, value, "", 2)))
                .filteredOn(f -> f.found().name().equals(name))
                .singleElement()
                .satisfies(f -> assertThat(f.verdict().id()).isEqualTo(verdict))
                .satisfies(f -> assertThat(f.fix()).isEqualTo(fix));
    }
}
