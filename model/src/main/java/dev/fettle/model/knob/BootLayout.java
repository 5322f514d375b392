package dev.fettle.model.knob;

/** The knob for how a Spring Boot jar is started. */
public final class BootLayout {
    public static final String KNOB = "boot.layout";
    /** As it is: Spring Boot's loader reads the nested jars. */
    public static final String JAR = "jar";
    /** Extracted by the jar's own tools, with its libraries next to it. */
    public static final String EXTRACTED = "extracted";

    private BootLayout() {}

    /** Whether a setting has it extracted. */
    public static boolean isExtracted(Setting setting) {
        return setting.get(KNOB).filter(EXTRACTED::equals).isPresent();
    }
}
