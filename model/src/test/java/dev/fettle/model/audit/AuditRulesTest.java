package dev.fettle.model.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion.VersionFlag;
import dev.fettle.model.knob.Knobs;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AuditRulesTest {
    @ParameterizedTest
    @ValueSource(strings = {"sysctl", "limits", "jvm", "tomcat", "jetty", "undertow", "spring", "nginx", "practice"})
    void theFilesFollowTheSchema(String file) throws Exception {
        try (var schema = AuditRules.class.getResourceAsStream("audit-rules.schema.json");
                var yaml = AuditRules.class.getResourceAsStream(file + ".yaml")) {
            JsonNode rules = new YAMLMapper().readTree(yaml);
            assertThat(JsonSchemaFactory.getInstance(VersionFlag.V202012)
                            .getSchema(schema)
                            .validate(rules))
                    .isEmpty();
        }
    }

    @Test
    void everyRuleHasAnAnchorOfItsOwnAndKnobsThatExist() {
        var anchors = new HashSet<String>();
        for (AuditRule r : AuditRules.all().rules()) {
            assertThat(anchors.add(r.anchor())).as(r.anchor()).isTrue();
            r.knob()
                    .ifPresent(k ->
                            assertThat(Knobs.find(k)).as(r.name() + ": " + k).isPresent());
        }
        assertThat(anchors).hasSizeGreaterThan(400);
    }

    /** Aliases that are the same setting in another spelling, so that they may get the same new name. */
    private static final Set<String> SPELLINGS = Set.of(
            "Connector.acceptAccount",
            "Connector.compressableMimeType",
            "net.ipv4.netfilter.ip_conntrack_max",
            "net.ipv4.netfilter.ip_conntrack_tcp_timeout_established",
            "server.session.timeout",
            "spring.http.multipart.max-file-size",
            "spring.http.multipart.max-request-size");

    /** What {@code --fix} renames gets the name of the same setting. */
    @Test
    void onlySpellingsOfOneSettingGetOneNewName() {
        assertThat(AuditRules.all().rules().stream()
                        .filter(r -> !r.aliases().isEmpty())
                        .filter(r -> r.cases().stream().anyMatch(c -> c.fix().startsWith("name ")))
                        .map(AuditRule::name))
                .isSubsetOf(SPELLINGS);
    }

    @ParameterizedTest
    @CsvSource({
        "SPRING, spring.datasource.max-active, name spring.datasource.hikari.maximum-pool-size",
        "SPRING, spring.datasource.max-wait, name spring.datasource.hikari.connection-timeout",
        "SPRING, spring.datasource.min-idle, name spring.datasource.hikari.minimum-idle",
        "SPRING, spring.datasource.max-idle, delete",
        "SPRING, spring.datasource.test-while-idle, delete",
        "SPRING, spring.http.multipart.max-request-size, name spring.servlet.multipart.max-request-size",
        "SPRING, multipart.maxFileSize, name spring.servlet.multipart.max-file-size",
        "TOMCAT, Connector.minProcessors, name minSpareThreads",
        "TOMCAT, Connector.maxProcessors, name maxThreads"
    })
    void anOldNameGetsItsOwnNewOne(SettingKind kind, String name, String fix) {
        assertThat(AuditRules.all()
                        .find(kind, name)
                        .orElseThrow()
                        .cases()
                        .getLast()
                        .fix())
                .isEqualTo(fix);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            JETTY  | jetty.sslContext.keyStorePassword | Pr0d | ***
            JETTY  | jetty.threadPool.maxThreads | 200 | 200
            TOMCAT | Resource.url | jdbc:mysql://h/db?user=a&password=b | jdbc:mysql://h/db?user=a&password=***
            SPRING | spring.datasource.url | jdbc:x://h?password=b | jdbc:x://h?password=***
            JVM    | -javaagent: | x.jar=license_key=abc | x.jar=license_key=***
            NGINX  | env | DB_PASSWORD=x | DB_PASSWORD=***
            TOMCAT | Connector.connectionTimeout | 20000 | 20000
            TOMCAT | Connector.clientAuth | false | false
            SPRING | server.ssl.client-auth | need | need
            TOMCAT | Connector.keystorePass | falsehood | ***
            """)
    void secretsAreNotKept(SettingKind kind, String name, String value, String kept) {
        assertThat(new FoundSetting(kind, name, value, new FoundSetting.Place("f", 1)).value())
                .isEqualTo(kept);
    }

    @Test
    void namesAreFoundAsTheirKindWritesThem() {
        AuditRules rules = AuditRules.all();
        assertThat(rules.find(SettingKind.SYSCTL, "net/core/somaxconn")).isPresent();
        assertThat(rules.find(SettingKind.SPRING, "server.tomcat.maxThreads"))
                .map(AuditRule::name)
                .contains("server.tomcat.max-threads");
        assertThat(rules.find(SettingKind.TOMCAT, "Connector.maxthreads")).isEmpty();
        assertThat(rules.nearest(SettingKind.JVM, "-XX:MaxPermsize")).contains("-XX:MaxPermSize");
    }

    @ParameterizedTest
    @CsvSource({
        "6.18.44-fc, >=6.16, true",
        "6.15.9, >=6.16, false",
        "4.12, >=4.12, true",
        "4.9, >=4.12, false",
        "17, >=9 <15, false",
        "14.0.2, >=9 <15, true",
        "11, =11, true"
    })
    void releasesAreComparedByTheirNumbers(String release, String range, boolean in) {
        assertThat(Release.of(release).in(range)).isEqualTo(in);
    }

    @Test
    void whatIsNoReleaseOrRangeIsRefused() {
        assertThatThrownBy(() -> Release.of("newest")).hasMessageContaining("no version");
        assertThatThrownBy(() -> Release.of("1").in("new")).hasMessageContaining("no range");
    }

    @ParameterizedTest
    @CsvSource({"512k, 524288", "3g, 3221225472", "1Gi, 1073741824", "65_536, 65536", "unlimited, Infinity", "-1, -1"})
    void amountsAreReadInTheirUnits(String text, double n) {
        assertThat(Amounts.of(text)).hasValue(n);
        assertThat(List.of(Amounts.of("much"), Amounts.of(""))).allMatch(java.util.OptionalDouble::isEmpty);
    }
}
