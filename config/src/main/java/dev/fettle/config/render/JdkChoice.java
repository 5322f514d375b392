package dev.fettle.config.render;

import dev.fettle.config.ConfigFile;
import dev.fettle.config.ConfigFile.Kind;
import dev.fettle.config.Escapes;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Target;
import java.util.Optional;

/** The JDK that a setting chooses, in the place where a server is started. */
final class JdkChoice {
    private JdkChoice() {}

    /** The text; empty if the setting chooses no JDK. It names a release, because its home differs by machine. */
    static Optional<ConfigFile> file(ConfigPlace place, Setting setting) {
        return setting.get(Target.Jvm.JDK).map(java -> switch (place) {
            case DOCKER, KUBERNETES ->
                new ConfigFile(
                        Kind.JAVA_HOME,
                        "the image",
                        java.startsWith("/")
                                ? "# an image with the JDK that is here: JAVA_HOME=" + Escapes.comment(java) + "\n"
                                : "# an image with Java " + java + ", for example: FROM eclipse-temurin:" + java
                                        + "\n");
            case SYSTEMD ->
                new ConfigFile(
                        Kind.JAVA_HOME,
                        "the unit",
                        remark(java) + "Environment=" + ContainerTexts.unitString("JAVA_HOME=" + path(java)) + "\n");
            default -> new ConfigFile(Kind.JAVA_HOME, "the environment of its start script", remark(java) + home(java));
        });
    }

    private static String remark(String java) {
        return java.startsWith("/") ? "" : "# the home of a JDK " + java + " on your machine\n";
    }

    private static String home(String java) {
        return "JAVA_HOME=" + Escapes.shell(path(java)) + "\n";
    }

    private static String path(String java) {
        return java.startsWith("/") ? java : "/path/to/jdk-" + java;
    }

    /** The program that a command begins with. */
    static String program(Setting setting) {
        return setting.get(Target.Jvm.JDK)
                .filter(j -> j.startsWith("/"))
                .map(j -> j + "/bin/java")
                .orElse("java");
    }
}
