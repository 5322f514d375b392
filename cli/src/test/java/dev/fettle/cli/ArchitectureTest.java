package dev.fettle.cli;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.lang.ArchRule;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Calendar;
import java.util.Collections;
import java.util.Date;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The arrows between the rooms point one way, and the pure rooms are pure. */
class ArchitectureTest {
    /** Every rule that is a constant of this class. */
    @TestFactory
    List<DynamicTest> holds() {
        List<DynamicTest> rules = Arrays.stream(ArchitectureTest.class.getDeclaredFields())
                .filter(f -> f.getType() == ArchRule.class)
                .map(f -> DynamicTest.dynamicTest(f.getName(), () -> ((ArchRule) f.get(null)).check(OwnClasses.ALL)))
                .toList();
        assertThat(rules).hasSizeGreaterThan(15);
        return rules;
    }

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
                .dependOnClassesThat(resideInAnyPackage(others).and(not(resideInAPackage(VALUES))));
    }

    /** The values that plan and engine share. */
    private static final String VALUES = "dev.fettle.load.api";

    static final ArchRule VALUES_USE_NOTHING_ELSE = noClasses()
            .that()
            .resideInAPackage(VALUES)
            .should()
            .dependOnClassesThat(resideInAPackage("dev.fettle..").and(not(resideInAPackage(VALUES))));

    static final ArchRule MODEL_USES_NOTHING =
            mayNotUse(MODEL, CONFIG, LOAD, WATCH, INSIGHT, REPORT, LAB, CLI, AGENT, SERVERS);

    static final ArchRule CONFIG_USES_MODEL_ONLY =
            mayNotUse(CONFIG, LOAD, WATCH, INSIGHT, REPORT, LAB, CLI, AGENT, SERVERS);

    static final ArchRule LOAD_IS_A_LIBRARY_OF_ITS_OWN =
            mayNotUse(LOAD, MODEL, CONFIG, WATCH, INSIGHT, REPORT, LAB, CLI, AGENT, SERVERS);

    static final ArchRule WATCH_USES_MODEL_ONLY =
            mayNotUse(WATCH, CONFIG, LOAD, INSIGHT, REPORT, LAB, CLI, AGENT, SERVERS);

    static final ArchRule INSIGHT_USES_MODEL_ONLY =
            mayNotUse(INSIGHT, CONFIG, LOAD, WATCH, REPORT, LAB, CLI, AGENT, SERVERS);

    static final ArchRule REPORT_USES_INSIGHT_CONFIG_AND_MODEL =
            mayNotUse(REPORT, LOAD, WATCH, LAB, CLI, AGENT, SERVERS);

    static final ArchRule LAB_KNOWS_NO_REPORT = mayNotUse(LAB, REPORT, CLI, AGENT, SERVERS);

    static final ArchRule NOBODY_LINKS_AGENT_OR_SERVERS = mayNotUse(CLI, AGENT, SERVERS);

    static final ArchRule THE_AGENT_USES_NOTHING =
            mayNotUse(AGENT, MODEL, CONFIG, LOAD, WATCH, INSIGHT, REPORT, LAB, CLI, SERVERS);

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

    /** It decides, and can be replayed: of this JVM, too, it sees nothing but its arguments. */
    static final ArchRule INSIGHT_TOUCHES_NOTHING_BUT_ITS_ARGUMENTS = noClasses()
            .that()
            .resideInAPackage(INSIGHT)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.io..", "java.util.concurrent..", "java.lang.management..")
            .orShould()
            .callConstructor(Random.class)
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(Clock.class);

    /** What starts a program, or makes code of a file. */
    private static final DescribedPredicate<JavaAccess<?>> CODE_IS_RUN =
            DescribedPredicate.describe("code is run or loaded", access -> {
                JavaClass owner = access.getTargetOwner();
                String type = owner.getName();
                String name = access.getTarget().getName();
                return owner.isEquivalentTo(ProcessBuilder.class)
                        || owner.isEquivalentTo(Runtime.class) && (name.equals("exec") || name.startsWith("load"))
                        || owner.isEquivalentTo(System.class) && name.startsWith("load")
                        || owner.isAssignableTo(ClassLoader.class)
                                && !Set.of("getResource", "getResourceAsStream").contains(name)
                        || owner.isEquivalentTo(Class.class)
                                && Set.of("forName", "newInstance").contains(name)
                        || Stream.of(
                                        "java.lang.reflect.",
                                        "java.lang.invoke.MethodHandles",
                                        "java.lang.instrument.",
                                        "java.lang.foreign.",
                                        "javax.script.",
                                        "javax.tools.",
                                        "java.rmi.",
                                        "javax.naming.",
                                        "com.sun.tools.attach.",
                                        "java.util.ServiceLoader",
                                        "java.beans.XML",
                                        "java.io.ObjectInputStream",
                                        "dev.fettle.lab.process.",
                                        "dev.fettle.lab.launch.",
                                        "dev.fettle.lab.hooks.",
                                        "dev.fettle.lab.check.")
                                .anyMatch(type::startsWith);
            });

    private static final String THE_DOOR = "dev.fettle.lab.audit.Tried";
    private static final String PROGRAM = "dev.fettle.lab.audit.TrustedProgram";

    /**
     * What is audited may be anybody's. Only one class starts programs, and what it starts can be made of options, the {@code PATH} and
     * Fettle's own JDK only: {@code TrustedProgram} has no public constructor, knows nothing of what is audited, and is made where the
     * options are known.
     */
    static final ArchRule NOTHING_THAT_IS_AUDITED_IS_RUN = noClasses()
            .that()
            .resideInAnyPackage("dev.fettle.lab.audit..", CONFIG, "dev.fettle.insight.audit..")
            .or()
            .haveNameMatching("dev\\.fettle\\.cli\\.(?:command\\.AuditCommand|run\\.AuditFiles)(?:\\$.*)?")
            .and()
            .doNotHaveFullyQualifiedName(THE_DOOR)
            .should()
            .accessTargetWhere(CODE_IS_RUN);

    static final ArchRule A_PROGRAM_IS_NOT_MADE_OF_WHAT_IS_AUDITED = noClasses()
            .that()
            .haveFullyQualifiedName(PROGRAM)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(CONFIG, MODEL, INSIGHT, "dev.fettle.watch..");

    static final ArchRule PROGRAMS_ARE_MADE_WHERE_THE_OPTIONS_ARE = noClasses()
            .that()
            .doNotHaveFullyQualifiedName("dev.fettle.lab.audit.AuditLab")
            .and()
            .doNotHaveFullyQualifiedName(PROGRAM)
            .should()
            .callMethodWhere(DescribedPredicate.describe(
                    "a program is made",
                    call -> call.getTargetOwner().getName().equals(PROGRAM)
                            && Set.of("java", "ofProcess", "onPath")
                                    .contains(call.getTarget().getName())));

    /** One door for whoever looks into a JVM: it is there that owner and address are checked. */
    static final ArchRule ONE_DOOR_INTO_A_JVM = noClasses()
            .that()
            .haveNameNotMatching("dev\\.fettle\\.watch\\.jvm\\.(?:RunningJvm|JmxDoor|answer\\.AnswerClasses)(?:\\$.*)?")
            .and()
            .resideOutsideOfPackages(SERVERS, AGENT)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("com.sun.tools.attach..", "javax.management.remote..", "java.rmi.server..");

    static final ArchRule NO_CYCLES =
            slices().matching("dev.fettle.(*)..").should().beFreeOfCycles();
}
