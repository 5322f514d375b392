package dev.fettle.cli;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

/** The classes of all rooms, without those of tests: read once for the tests that ask what is in them. */
final class OwnClasses {
    /** ArchUnit's own option knows no folder that is called build. */
    private static final ImportOption NO_TESTS = location -> !location.contains("/test-classes/");

    static final JavaClasses ALL =
            new ClassFileImporter().withImportOption(NO_TESTS).importPackages("dev.fettle");

    private OwnClasses() {}
}
