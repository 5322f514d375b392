package dev.fettle.lab.process;

import java.util.Map;
import java.util.Optional;

/**
 * The locale that Fettle was called with. In the locale C, Java can neither name a file nor take an argument with other characters than
 * ASCII's, so the launcher puts {@code LC_ALL=C.UTF-8} in its place and keeps what was there in {@code FETTLE_LC_ALL}. A target must
 * not run otherwise than its user would run it.
 */
public final class CallersLocale {
    private static final String HERE = "LC_ALL";
    private static final String CALLERS = "FETTLE_LC_ALL";

    private CallersLocale() {}

    /** What keeps Fettle's own programs, whose arguments name its folders, in Fettle's locale. */
    public static Map<String, String> ours() {
        String here = System.getenv(HERE);
        return System.getenv(CALLERS) == null || here == null ? Map.of() : Map.of(HERE, here);
    }

    /** Puts it back in the environment of a program of the user's. */
    public static void restore(Map<String, String> environment) {
        Optional.ofNullable(environment.remove(CALLERS)).ifPresent(was -> {
            environment.remove(HERE);
            if (!was.isEmpty()) {
                environment.put(HERE, was);
            }
        });
    }
}
