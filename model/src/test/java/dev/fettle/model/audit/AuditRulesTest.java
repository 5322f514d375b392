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
