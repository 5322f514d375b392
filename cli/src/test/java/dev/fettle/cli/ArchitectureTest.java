package dev.fettle.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The arrows between the rooms point one way, and the pure rooms are pure. */
@AnalyzeClasses(packages = "dev.fettle", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String MODEL = "dev.fettle.model..";
    private static final String CONFIG = "dev.fettle.config..";
    private static final String LOAD = "dev.fettle.load..";
    private static final String WATCH = "dev.fettle.watch..";
    private static final String INSIGHT = "dev.fettle.insight..";
    private static final String REPORT = "dev.fettle.report..";
    private static final String LAB = "dev.fettle.lab..";
    private static final String CLI = "dev.fettle.cli..";
    private static final String AGENT = "dev.fettle.agent..";
    private static final String SERVERS = "dev.fettle.servers..";

    private static ArchRule mayNotUse(String room, String... others) {
        return noClasses()
                .that()
                .resideInAPackage(room)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(others);
    }

    @ArchTest
    static final ArchRule MODEL_USES_NOTHING =
            mayNotUse(MODEL, CONFIG, LOAD, WATCH, INSIGHT, REPORT, LAB, CLI, AGENT, SERVERS);

    @ArchTest
    static final ArchRule CONFIG_USES_MODEL_ONLY =
            mayNotUse(CONFIG, LOAD, WATCH, INSIGHT, REPORT, LAB, CLI, AGENT, SERVERS);

    @ArchTest
    static final ArchRule LOAD_IS_A_LIBRARY_OF_ITS_OWN =
            mayNotUse(LOAD, MODEL, CONFIG, WATCH, INSIGHT, REPORT, LAB, CLI, AGENT, SERVERS);

    @ArchTest
    static final ArchRule WATCH_USES_MODEL_ONLY =
            mayNotUse(WATCH, CONFIG, LOAD, INSIGHT, REPORT, LAB, CLI, AGENT, SERVERS);

    @ArchTest
    static final ArchRule INSIGHT_USES_MODEL_ONLY =
            mayNotUse(INSIGHT, CONFIG, LOAD, WATCH, REPORT, LAB, CLI, AGENT, SERVERS);

    @ArchTest
    static final ArchRule REPORT_USES_INSIGHT_CONFIG_AND_MODEL =
            mayNotUse(REPORT, LOAD, WATCH, LAB, CLI, AGENT, SERVERS);

    @ArchTest
    static final ArchRule LAB_KNOWS_NO_REPORT = mayNotUse(LAB, REPORT, CLI, AGENT, SERVERS);

    @ArchTest
    static final ArchRule NOBODY_LINKS_AGENT_OR_SERVERS = mayNotUse(CLI, AGENT, SERVERS);

    @ArchTest
    static final ArchRule THE_AGENT_USES_NOTHING =
            mayNotUse(AGENT, MODEL, CONFIG, LOAD, WATCH, INSIGHT, REPORT, LAB, CLI, SERVERS);

    @ArchTest
    static final ArchRule THE_SERVERS_USE_THE_AGENT_ONLY =
            mayNotUse(SERVERS, MODEL, CONFIG, LOAD, WATCH, INSIGHT, REPORT, LAB, CLI);

    @ArchTest
    static final ArchRule PURE_ROOMS_DO_NO_IO = noClasses()
            .that()
            .resideInAnyPackage(INSIGHT)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.io..", "java.nio.file..", "java.net..", "java.sql..")
            .orShould()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(java.time.Instant.class, "now")
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(Thread.class);

    @ArchTest
    static final ArchRule REPORTS_AND_CONFIG_READ_NO_CLOCK_AND_WRITE_NOTHING = noClasses()
            .that()
            .resideInAnyPackage(REPORT, CONFIG)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.nio.file..", "java.net..", "java.sql..")
            .orShould()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(java.time.Instant.class, "now")
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(Thread.class);

    @ArchTest
    static final ArchRule NO_CYCLES =
            slices().matching("dev.fettle.(*)..").should().beFreeOfCycles();
}
