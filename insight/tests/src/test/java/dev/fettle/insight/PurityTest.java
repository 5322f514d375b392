package dev.fettle.insight;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import java.time.Instant;
import java.util.Random;

/** Insight can be replayed because it touches nothing but its arguments. */
@AnalyzeClasses(packages = "dev.fettle.insight", importOptions = PurityTest.MainOnly.class)
class PurityTest {
    /** ArchUnit's own option knows only folders called target. */
    static final class MainOnly implements ImportOption {
        @Override
        public boolean includes(Location location) {
            return !location.contains("/test-classes/");
        }
    }

    @ArchTest
    static final ArchRule NO_OUTSIDE_WORLD = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "java.io..",
                    "java.nio.file..",
                    "java.nio.channels..",
                    "java.net..",
                    "java.util.concurrent..",
                    "java.lang.management..");

    @ArchTest
    static final ArchRule NO_CLOCK = noClasses()
            .should()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(Instant.class, "now")
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(Clock.class);

    @ArchTest
    static final ArchRule NO_THREAD = noClasses().should().dependOnClassesThat().areAssignableTo(Thread.class);

    @ArchTest
    static final ArchRule NO_UNSEEDED_RANDOMNESS =
            noClasses().should().callMethod(Math.class, "random").orShould().callConstructor(Random.class);

    @ArchTest
    static final ArchRule ONLY_THE_MODEL = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "dev.fettle.lab..",
                    "dev.fettle.load..",
                    "dev.fettle.watch..",
                    "dev.fettle.report..",
                    "dev.fettle.cli..",
                    "dev.fettle.servers..");
}
