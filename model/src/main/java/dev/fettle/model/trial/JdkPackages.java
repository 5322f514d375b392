package dev.fettle.model.trial;

import java.util.List;

/** The JDK's own code in a stack: the innermost frame outside it is the caller, in a dump as in a profile. */
public final class JdkPackages {
    private static final List<String> ALL = List.of("java.", "javax.", "jdk.", "sun.", "com.sun.");

    private JdkPackages() {}

    /**
     * Whether a class, or a method with its class in front, is one of the JDK.
     *
     * @param name as in {@code java.util.regex.Pattern.match}
     */
    public static boolean have(String name) {
        // a loop, not a stream: a look at the threads asks for each frame
        for (String prefix : ALL) {
            if (name.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }
}
