package dev.fettle.insight.audit;

import dev.fettle.model.audit.Amounts;
import dev.fettle.model.audit.AuditRule;
import dev.fettle.model.audit.AuditRule.Case;
import dev.fettle.model.audit.AuditVerdict;
import dev.fettle.model.audit.FoundSetting;
import dev.fettle.model.audit.SettingKind;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** What a setting's value has to be, as the default in its rule shows. */
enum ValueType {
    NUMBER("It is a number, and what is written is none.", "a number"),
    SWITCH(
            "It is true or false (Spring also takes on, off, yes, no, 1 and 0), and what is written is none of these: as a rule the"
                    + " application does not start.",
            "true or false"),
    TIME(
            "It is a time, such as 20s or 500ms, and what is written is none: as a rule the application does not start.",
            "a time"),
    OTHER("", "");

    /** Kinds of settings whose value is a number if their default is one. */
    private static final Set<SettingKind> NUMBERS =
            Set.of(SettingKind.TOMCAT, SettingKind.JETTY, SettingKind.SPRING, SettingKind.SYSCTL, SettingKind.LIMIT);

    /** Of a setting with another name today nothing is read, and what keeps a server from starting says so itself. */
    private static final Set<AuditVerdict> STAYS = Set.of(
            AuditVerdict.FATAL, AuditVerdict.WRONG, AuditVerdict.TYPO, AuditVerdict.REMOVED, AuditVerdict.RENAMED);

    /** Words, and figures that end in letters. One letter, as in {@code maxThreads="N"}, stands for any number. */
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z]{2,}|[+-]?\\d\\w*");

    private static final Pattern DIGITS = Pattern.compile("[+-]?\\d+");
    private static final Pattern HEX = Pattern.compile("0[xX][0-9a-fA-F]+");
    /** {@code 20s}, and {@code PT20S}. */
    private static final Pattern DURATION = Pattern.compile("(?i)[+-]?\\d+(?:ns|us|ms|s|m|h|d)?|[+-]?P[\\dTDHMS.+-]+");

    private static final Pattern VARIABLE = Pattern.compile(".*[$@{}%<>].*");
    private static final Set<String> ON = Set.of("true", "on", "yes", "1");
    private static final Set<String> OFF = Set.of("false", "off", "no", "0");

    private final String why;
    private final String what;

    ValueType(String why, String what) {
        this.why = why;
        this.what = what;
    }

    String why() {
        return why;
    }

    String instead(AuditRule r) {
        return what + "; the default is " + r.byDefault();
    }

    private static ValueType of(AuditRule r) {
        String byDefault = r.byDefault().split(";", 2)[0];
        if (NUMBERS.contains(r.kind()) && byDefault.matches("-?\\d+")) {
            return NUMBER;
        }
        // Hibernate's own properties are texts to Spring
        boolean spring = r.kind() == SettingKind.SPRING && !r.name().startsWith("spring.jpa.properties.");
        return spring && byDefault.matches("true|false")
                ? SWITCH
                : spring && byDefault.matches("\\d+(?:ms|s|m|h|d)") ? TIME : OTHER;
    }

    /** The value as rules write it: {@code on}, {@code yes} and {@code 1} are {@code true} to Spring. */
    static String plain(AuditRule r, FoundSetting f) {
        String value = f.value().strip().toLowerCase(Locale.ROOT);
        return of(r) == SWITCH && isSwitch(value) ? String.valueOf(ON.contains(value)) : f.value();
    }

    /**
     * What a value should be and is not; empty if it is, or if that can't be told. What a case names is known; a variable may be
     * anything, and a text may speak of it.
     */
    static Optional<ValueType> missed(AuditRule r, Case hit, FoundSetting f) {
        String value = f.value().strip();
        boolean named = !hit.when().is().isEmpty() || hit.when().matches().isPresent();
        if (value.isEmpty()
                || named
                || STAYS.contains(hit.verdict())
                || f.scope().equals("text")) {
            return Optional.empty();
        }
        ValueType type = of(r);
        boolean wrong = switch (type) {
            case NUMBER ->
                PLAIN.matcher(value).matches()
                        && !isNumber(r.kind(), value)
                        && !HEX.matcher(value).matches();
            case SWITCH -> !VARIABLE.matcher(value).matches() && !isSwitch(value.toLowerCase(Locale.ROOT));
            case TIME ->
                !VARIABLE.matcher(value).matches() && !DURATION.matcher(value).matches();
            case OTHER -> false;
        };
        return wrong ? Optional.of(type) : Optional.empty();
    }

    /** Spring's numbers have no unit: with {@code 10m} the application does not start. */
    private static boolean isNumber(SettingKind kind, String value) {
        return kind == SettingKind.SPRING
                ? DIGITS.matcher(value).matches()
                : Amounts.of(value).isPresent();
    }

    private static boolean isSwitch(String value) {
        return ON.contains(value) || OFF.contains(value);
    }
}
