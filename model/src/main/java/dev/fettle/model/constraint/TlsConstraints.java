package dev.fettle.model.constraint;

import dev.fettle.model.constraint.Constraints.Reason;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Target;
import java.util.List;
import java.util.OptionalInt;

/** What a TLS engine ({@code tls.engine}) needs. */
public final class TlsConstraints {
    private static final String ENGINE = "tls.engine";
    private static final String OPENSSL = "openssl";
    /** The release with the final foreign-function API (JEP 454). */
    private static final int FFM_SINCE = 22;

    private TlsConstraints() {}

    static void embedded(Setting s, List<Reason> out) {
        if (isOpenSsl(s)) {
            out.add(new Reason(
                    ENGINE,
                    "tls.engine=openssl needs Tomcat's distribution (standalone: tomcat): the classes for it are not in the"
                            + " embedded one"));
        }
    }

    static void java(Setting s, Target.Jvm planned, List<Reason> out) {
        OptionalInt release = planned.under(s).release();
        if (isOpenSsl(s) && release.isPresent() && release.getAsInt() < FFM_SINCE) {
            out.add(new Reason(
                    ENGINE,
                    "tls.engine=openssl needs Java %d or newer, and this is Java %d"
                            .formatted(FFM_SINCE, release.getAsInt())));
        }
    }

    /** Without TLS, the choice of engine has no effect. */
    public static List<Reason> load(Setting s, boolean tls) {
        return s.get(ENGINE).isPresent() && !tls
                ? List.of(new Reason(ENGINE, "tls.engine has no effect without TLS: say load: {tls: true}"))
                : List.of();
    }

    private static boolean isOpenSsl(Setting s) {
        return s.get(ENGINE).filter(OPENSSL::equals).isPresent();
    }
}
