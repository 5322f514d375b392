package dev.fettle.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Calendar;
import java.util.Collections;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

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

    /** Of {@code java.io}, what handles text and bytes in memory, and a resource of the own jar. */
    private static final Set<String> IN_MEMORY = Set.of(
            "IOException", "UncheckedIOException", "InputStream", "Reader", "StringReader", "Writer", "StringWriter");

    private static final DescribedPredicate<JavaClass> FILES_AND_SOCKETS = DescribedPredicate.describe(
            "reach files or sockets",
            c -> c.getPackageName().equals("java.io") && !IN_MEMORY.contains(c.getSimpleName())
                    || List.of("java.nio.file", "java.nio.channels", "java.net", "java.sql").stream()
                            .anyMatch(p -> (c.getPackageName() + ".").startsWith(p + ".")));

    private static final DescribedPredicate<JavaAccess<?>> THE_CLOCK =
            DescribedPredicate.describe("the clock is read", access -> {
                JavaClass owner = access.getTargetOwner();
                String name = access.getTarget().getName();
                return owner.isEquivalentTo(System.class)
                                && Set.of("nanoTime", "currentTimeMillis").contains(name)
                        || owner.getPackageName().equals("java.time") && name.equals("now")
                        || owner.isAssignableTo(InstantSource.class)
                        || owner.isEquivalentTo(Date.class) && isMadeOfNothing(access)
                        || owner.isAssignableTo(Calendar.class) && name.equals("getInstance");
            });

    private static final DescribedPredicate<JavaAccess<?>> CHANCE_WITHOUT_A_SEED =
            DescribedPredicate.describe("chance has no seed", access -> {
                JavaClass owner = access.getTargetOwner();
                String name = access.getTarget().getName();
                return owner.isAssignableTo(ThreadLocalRandom.class)
                        || owner.isAssignableTo(SecureRandom.class)
                        || owner.isAssignableTo(RandomGenerator.class) && isMadeOfNothing(access)
                        || owner.isEquivalentTo(RandomGenerator.class)
                                && Set.of("of", "getDefault").contains(name)
                        || owner.isEquivalentTo(UUID.class) && name.equals("randomUUID")
                        || owner.isEquivalentTo(Collections.class) && name.equals("shuffle") && parameters(access) == 1
                        || Set.of("java.lang.Math", "java.lang.StrictMath").contains(owner.getName())
                                && name.equals("random");
            });

    private static boolean isMadeOfNothing(JavaAccess<?> access) {
        return access.getTarget().getName().equals(JavaConstructor.CONSTRUCTOR_NAME) && parameters(access) == 0;
    }

    private static int parameters(JavaAccess<?> access) {
        return access.getTarget() instanceof CodeUnitAccessTarget target
                ? target.getRawParameterTypes().size()
                : 0;
    }

    @ArchTest
    static final ArchRule PURE_ROOMS_DEPEND_ON_WHAT_THEY_ARE_GIVEN = noClasses()
            .that()
            .resideInAnyPackage(INSIGHT, REPORT, CONFIG)
            .should()
            .dependOnClassesThat(FILES_AND_SOCKETS)
            .orShould()
            .accessTargetWhere(THE_CLOCK)
            .orShould()
            .accessTargetWhere(CHANCE_WITHOUT_A_SEED)
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(Thread.class);

    @ArchTest
    static final ArchRule NO_CYCLES =
            slices().matching("dev.fettle.(*)..").should().beFreeOfCycles();
}
