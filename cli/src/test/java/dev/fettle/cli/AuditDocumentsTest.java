package dev.fettle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.config.audit.SettingsText;
import dev.fettle.insight.audit.AuditFinding;
import dev.fettle.insight.audit.Auditor;
import dev.fettle.model.audit.AuditContext;
import dev.fettle.model.audit.AuditRules;
import dev.fettle.model.audit.Release;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The settings of guides, in Chinese and English, are found where they stand, and judged as a person judged them. */
class AuditDocumentsTest {
    private static final AuditContext TODAY = new AuditContext(
            Map.of(
                    "kernel", Release.of("6.18"),
                    "jdk", Release.of("25"),
                    "tomcat", Release.of("11"),
                    "jetty", Release.of("12.1"),
                    "spring", Release.of("4.1")),
            Map.of());

    @TestFactory
    Stream<DynamicTest> eachSettingOfTheFiveDocuments() throws Exception {
        return rows("/audit-documents.txt", 150);
    }

    @TestFactory
    Stream<DynamicTest> settingsThatTodaysGuidesAdd() throws Exception {
        return rows("/audit-guides.txt", 35);
    }

    private static Stream<DynamicTest> rows(String file, int atLeast) throws Exception {
        try (var in = AuditDocumentsTest.class.getResourceAsStream(file)) {
            List<String[]> rows = new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(l -> !l.startsWith("#"))
                    .map(l -> l.split("\\|", 4))
                    .toList();
            assertThat(rows).hasSizeGreaterThan(atLeast);
            return rows.stream()
                    .map(r -> DynamicTest.dynamicTest(r[0] + " " + r[1], () -> {
                        SettingsText text = SettingsText.read("guide.txt", r[3].replace("⏎", "\n"));
                        List<AuditFinding> all = new Auditor(AuditRules.all(), TODAY, List.of())
                                .audit(text.settings(), List.of())
                                .findings();
                        assertThat(all.stream()
                                        .filter(f -> f.found().name().equals(r[1]))
                                        .map(f -> f.verdict().id()))
                                .as(r[3])
                                .contains(r[2]);
                    }));
        }
    }
}
