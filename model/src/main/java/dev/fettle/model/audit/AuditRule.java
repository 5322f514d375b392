package dev.fettle.model.audit;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What is known about one setting. The verdict is the first case whose conditions hold.
 *
 * @param name in the notation of its kind
 * @param aliases other names under which it is found
 * @param spoken regular expressions that find it in prose; group 1 is the value
 * @param about one line
 * @param byDefault its default in words; empty if not given
 * @param check how users can check for themselves; empty if not given
 * @param sources authorities
 * @param checked the date on which a person or a machine last compared it with them, {@code 2026-11-22}
 * @param verified whether it was tried, or read in a source; otherwise it is shipped as unverified
 * @param knob Fettle's knob for it, with which a plan can settle the question
 */
public record AuditRule(
        SettingKind kind,
        String name,
        List<String> aliases,
        List<String> spoken,
        String about,
        String byDefault,
        String check,
        List<String> sources,
        String checked,
        boolean verified,
        Optional<String> knob,
        List<Case> cases) {
    public AuditRule {
        aliases = List.copyOf(aliases);
        spoken = List.copyOf(spoken);
        sources = List.copyOf(sources);
        cases = List.copyOf(cases);
    }

    /** Its anchor in the documentation: {@code sysctl-net-core-somaxconn}. */
    public String anchor() {
        return (kind.id() + "-" + name)
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^a-z0-9]+", "-")
                .replaceAll("-$", "");
    }

    /**
     * A verdict and its conditions.
     *
     * @param why one sentence
     * @param instead what to write; empty if nothing
     * @param since the release from which it holds; empty if not given
     * @param fix {@code delete}, {@code value V}, {@code name N}; empty if a machine should not change it
     */
    public record Case(When when, AuditVerdict verdict, String why, String instead, String since, String fix) {}

    /**
     * Conditions, all of which must hold.
     *
     * @param releases ranges by {@code kernel}, {@code jdk}, {@code tomcat}…
     * @param is values, compared without regard to case and to the number of blanks
     * @param matches a regular expression for the whole value
     * @param field the field of the value that {@code is}, {@code below} and {@code above} refer to, from 1; 0: all of
     *     it
     * @param below the value is less than this
     * @param above the value is more than this
     * @param with other settings, by name ({@code a.b.*}: any that begins like this), and regular expressions for their values
     * @param without settings that must be absent
     * @param written part of the name of the file or text that contains it
     */
    public record When(
            Map<String, String> releases,
            List<String> is,
            Optional<String> matches,
            int field,
            OptionalDouble below,
            OptionalDouble above,
            Map<String, String> with,
            List<String> without,
            Optional<String> written) {
        public When {
            releases = Map.copyOf(releases);
            is = List.copyOf(is);
            with = Map.copyOf(with);
            without = List.copyOf(without);
        }

        public boolean always() {
            return releases.isEmpty()
                    && is.isEmpty()
                    && matches.isEmpty()
                    && below.isEmpty()
                    && above.isEmpty()
                    && with.isEmpty()
                    && without.isEmpty()
                    && written.isEmpty();
        }
    }
}
