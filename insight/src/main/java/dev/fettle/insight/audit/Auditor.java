package dev.fettle.insight.audit;

import dev.fettle.insight.audit.AuditFinding.Basis;
import dev.fettle.model.audit.Amounts;
import dev.fettle.model.audit.AuditContext;
import dev.fettle.model.audit.AuditRule;
import dev.fettle.model.audit.AuditRule.Case;
import dev.fettle.model.audit.AuditRule.When;
import dev.fettle.model.audit.AuditRules;
import dev.fettle.model.audit.AuditVerdict;
import dev.fettle.model.audit.FoundSetting;
import dev.fettle.model.audit.SettingKind;
import dev.fettle.model.text.NearestName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.regex.Pattern;

/** Checks settings against what is known, against each other, and against the results of probes. */
public final class Auditor {
    /** Kinds of which some probes ask only whether there is a setting of that name. */
    private static final Set<SettingKind> BY_NAME =
            Set.of(SettingKind.SYSCTL, SettingKind.TOMCAT, SettingKind.SPRING, SettingKind.JETTY);

    private final AuditRules rules;
    private final AuditContext context;
    private final NameCheck names;
    private final Map<String, Probe> probes = new HashMap<>();

    /** @param probes results by the setting that was tried */
    public Auditor(AuditRules rules, AuditContext context, List<Probe> probes) {
        this.rules = rules;
        this.context = context;
        this.names = new NameCheck(context);
        probes.forEach(p -> this.probes.put(p.setting(), p));
    }

    /**
     * Judges settings.
     *
     * @param notes what was not read, to be kept with the verdicts
     */
    public Audit audit(List<FoundSetting> found, List<String> notes) {
        var all = new ArrayList<AuditFinding>();
        for (FoundSetting f : found) {
            boolean fine = NameCheck.onlyNamesAClass(f) && names.of(f).isEmpty();
            if (!isElement(f) && !fine) {
                all.add(AuditFinding.conditional(probed(judged(f, found), found)));
            }
        }
        List<AuditFinding> together = ConflictChecks.of(found, context);
        // a verdict on a combination of settings takes precedence over the ones on each alone
        all.removeIf(a -> together.stream()
                .anyMatch(t -> t.found().equals(a.found())
                        && t.verdict().compareTo(a.verdict()) <= 0
                        && !t.id().equals("together-twice")));
        all.addAll(together);
        all.sort(Comparator.comparing((AuditFinding f) -> f.verdict().severity())
                .thenComparing(Auditor::remark)
                .thenComparing(AuditFinding::verdict));
        return new Audit(context, all, notes);
    }

    /** What follows from settings together comes before remarks on single ones, and the images' names come last. */
    private static int remark(AuditFinding f) {
        boolean note = f.verdict().severity() == AuditVerdict.Severity.NOTE;
        boolean image =
                f.found().kind() == SettingKind.CONTAINER && f.found().name().equals("FROM");
        return !note ? 0 : f.basis() == Basis.COMPARED ? 0 : image ? 2 : 1;
    }

    /** Tomcat's elements are recorded for their order, and sockets for what stands next to them: they set nothing. */
    private static boolean isElement(FoundSetting f) {
        return f.name().equals(KernelConflicts.SOCKET)
                || (f.kind() == SettingKind.CONTAINER
                        && (f.name().equals(ContainerConflicts.PROGRAM)
                                || f.name().startsWith("variable ")))
                || (f.kind() == SettingKind.TOMCAT
                        && (f.name().equals("Connector") || f.name().equals("Executor")));
    }

    private AuditFinding judged(FoundSetting f, List<FoundSetting> all) {
        Optional<AuditFinding> gone = names.of(f);
        if (gone.isPresent()) {
            return gone.get();
        }
        Optional<AuditRule> rule = rules.find(f.kind(), f.name());
        if (rule.isEmpty()) {
            return names.spring(f).orElseGet(() -> unknown(f));
        }
        AuditRule r = rule.get();
        Case hit = hit(r, f, all);
        Optional<ValueType> not = ValueType.missed(r, hit, f);
        if (not.isPresent()) {
            return finding(f, AuditVerdict.WRONG, r, not.get().why(), not.get().instead(r), "", "");
        }
        boolean sized = hit.verdict() == AuditVerdict.SITUATIONAL
                && f.kind() == SettingKind.SYSCTL
                && !r.byDefault().split(";", 2)[0].matches("[\\d.]++(?: [\\d.]++)*+|[a-z_]++");
        if (f.scope().equals("live") && sized) {
            return finding(
                    f,
                    AuditVerdict.VALID,
                    r,
                    "It may be the default, which depends on the machine, the kernel's version or the distribution.",
                    "",
                    "",
                    "");
        }
        boolean isDefault = isDefault(r, ValueType.plain(r, f));
        boolean untouched = hit.verdict() == AuditVerdict.DEFAULT || (hit.when().always() && isDefault);
        if (f.scope().equals("live") && untouched) {
            return finding(f, AuditVerdict.VALID, r, "It is the default.", "", "", "");
        }
        if (f.scope().equals("live") && hit.verdict() == AuditVerdict.NO_EFFECT) {
            return finding(
                    f, AuditVerdict.VALID, r, "It makes no difference to a web server, whatever it is.", "", "", "");
        }
        boolean plain = hit.when().always() && isDefault;
        boolean worse = hit.verdict().severity() == AuditVerdict.Severity.WARNING
                || hit.verdict().severity() == AuditVerdict.Severity.ERROR;
        if (plain && !worse && hit.verdict() != AuditVerdict.DEFAULT) {
            return finding(f, AuditVerdict.DEFAULT, r, "It is the default.", "nothing", "", "");
        }
        return finding(f, hit.verdict(), r, hit.why(), hit.instead(), hit.since(), hit.fix());
    }

    /** The case of a rule that holds for a setting. */
    private Case hit(AuditRule rule, FoundSetting f, List<FoundSetting> all) {
        return rule.cases().stream()
                .filter(c -> holds(c.when(), rule, f, all))
                .findFirst()
                .orElseThrow();
    }

    private static AuditFinding finding(
            FoundSetting f, AuditVerdict verdict, AuditRule r, String why, String instead, String since, String fix) {
        return new AuditFinding(
                f,
                verdict,
                Optional.of(r),
                r.anchor(),
                why,
                instead,
                since,
                fix,
                r.verified() ? Basis.SOURCED : Basis.UNVERIFIED,
                r.sources(),
                Optional.empty());
    }

    private AuditFinding unknown(FoundSetting f) {
        Optional<String> meant = f.kind() == SettingKind.JVM && f.name().startsWith("-D")
                ? Optional.empty()
                : rules.nearest(f.kind(), f.name()).filter(n -> misspelt(f.name(), n));
        AuditVerdict verdict = meant.isPresent() && f.kind() != SettingKind.SPRING && f.kind() != SettingKind.NGINX
                ? AuditVerdict.TYPO
                : AuditVerdict.UNKNOWN;
        return new AuditFinding(
                f,
                verdict,
                Optional.empty(),
                "",
                meant.filter(m -> verdict == AuditVerdict.TYPO)
                        .map(m -> "No such setting is known here; " + m + " is.")
                        .orElse("It is not known here."),
                meant.orElse(""),
                "",
                "",
                Basis.UNVERIFIED,
                List.of(),
                Optional.empty());
    }

    /** Equal but for case, or one letter more, less or swapped. Real setting names differ by whole words. */
    private static boolean misspelt(String written, String known) {
        String a = NearestName.plain(written);
        String b = NearestName.plain(known);
        if (a.equals(b)) {
            return !written.equals(known);
        }
        return NearestName.isOneEditAway(a, b)
                && a.length() > 8
                && a.substring(0, 4).equals(b.substring(0, 4))
                && a.chars().noneMatch(Character::isDigit);
    }

    // -- conditions --------------------------------------------------------------------------------------------------

    private boolean holds(When w, AuditRule rule, FoundSetting f, List<FoundSetting> all) {
        for (var r : w.releases().entrySet()) {
            if (context.release(r.getKey()).filter(v -> v.in(r.getValue())).isEmpty()) {
                return false;
            }
        }
        String value = ValueType.plain(rule, f);
        String field = Amounts.field(value, w.field());
        if (!w.is().isEmpty() && w.is().stream().noneMatch(i -> blanks(i).equalsIgnoreCase(blanks(field)))) {
            return false;
        }
        if (w.matches().isPresent() && !Pattern.matches(w.matches().get(), value)) {
            return false;
        }
        if (w.below().isPresent() || w.above().isPresent()) {
            OptionalDouble n = amount(rule, f, field);
            if (n.isEmpty()
                    || (w.below().isPresent() && n.getAsDouble() >= w.below().getAsDouble())
                    || (w.above().isPresent() && n.getAsDouble() <= w.above().getAsDouble())) {
                return false;
            }
        }
        if (w.written().isPresent() && !f.place().file().contains(w.written().get())) {
            return false;
        }
        for (var e : w.with().entrySet()) {
            Pattern p = Pattern.compile(e.getValue());
            if (all.stream()
                    .noneMatch(
                            o -> beside(o, f, e.getKey()) && p.matcher(plain(o)).matches())) {
                return false;
            }
        }
        return w.without().stream().noneMatch(n -> all.stream().anyMatch(o -> beside(o, f, n)));
    }

    private String plain(FoundSetting f) {
        return rules.find(f.kind(), f.name()).map(r -> ValueType.plain(r, f)).orElse(f.value());
    }

    /**
     * Whether another setting is in force together with this one: in the same file and part, or in a file for the whole
     * machine.
     *
     * @param name of the other; {@code server.jetty.*}: any that begins like this
     */
    private static boolean beside(FoundSetting other, FoundSetting f, String name) {
        boolean named = name.endsWith("*")
                ? other.name().startsWith(name.substring(0, name.length() - 1))
                : other.name().equals(name);
        if (!named || other == f) {
            return false;
        }
        if (other.kind() == SettingKind.SYSCTL || f.kind() == SettingKind.SYSCTL) {
            return true;
        }
        boolean here = other.place().file().equals(f.place().file());
        boolean near = !f.scope().equals("text")
                || Math.abs(other.place().line() - f.place().line()) <= 1;
        // Spring Boot's first document, which has no condition, holds in every profile
        boolean everywhere = f.kind() == SettingKind.SPRING && other.scope().isEmpty();
        return here
                && near
                && (f.kind() == SettingKind.NGINX || everywhere || other.scope().equals(f.scope()));
    }

    /**
     * Times that a rule counts in the setting's own unit carry no unit where the rule was written. To nginx {@code 4m} is minutes or
     * megabytes: the rule's default tells which.
     */
    private static OptionalDouble amount(AuditRule rule, FoundSetting f, String field) {
        boolean time = field.matches("\\d+\\s*(ms|s|h)")
                || (f.kind() == SettingKind.NGINX && rule.byDefault().matches("\\d+\\s*(ms|s|h|d)\\b.*"));
        if (time && field.matches("\\d+\\s*(ms|s|m|h|d)")) {
            return Amounts.seconds(field, 1);
        }
        return Amounts.of(field.replaceFirst("%$", ""));
    }

    private static String blanks(String text) {
        return text.strip().replaceAll("\\s+", " ");
    }

    /** Whether the value is the default that the rule names before its first semicolon. */
    private static boolean isDefault(AuditRule r, String value) {
        String byDefault = blanks(r.byDefault().split(";", 2)[0]);
        return !byDefault.isEmpty() && !value.isEmpty() && byDefault.equalsIgnoreCase(blanks(value));
    }

    // -- probes ------------------------------------------------------------------------------------------------------

    private AuditFinding probed(AuditFinding f, List<FoundSetting> all) {
        FoundSetting s = f.found();
        Probe tried = probes.get(s.written());
        Probe p = tried == null && BY_NAME.contains(s.kind()) ? probes.get(s.name()) : tried;
        if (p == null) {
            return f;
        }
        boolean onlyTheName = !s.value().isEmpty() && p.setting().equals(s.name());
        boolean guess = f.rule().isEmpty();
        AuditVerdict was = f.verdict();
        return switch (p.outcome()) {
            case REFUSED ->
                was == AuditVerdict.FATAL || was == AuditVerdict.TYPO
                        ? f.probed(was, f.why(), f.instead(), Optional.empty())
                        : f.probed(
                                AuditVerdict.FATAL, said(p), guess ? "delete it" : f.instead(), remembered(f, guess));
            case IGNORED ->
                was == AuditVerdict.NO_EFFECT || was == AuditVerdict.RENAMED || was == AuditVerdict.REMOVED
                        ? f.probed(was, f.why(), f.instead(), Optional.empty())
                        : f.probed(
                                AuditVerdict.NO_EFFECT,
                                said(p),
                                guess ? "delete it" : f.instead(),
                                remembered(f, guess));
            case ABSENT -> absent(f, p, was, guess);
            case ACCEPTED, DEPRECATED -> {
                boolean refuted =
                        was == AuditVerdict.FATAL || was == AuditVerdict.REMOVED || (guess && was == AuditVerdict.TYPO);
                // that there is such a setting says nothing against a rule about the value
                if (refuted && !(onlyTheName && isAboutTheValue(f, all))) {
                    yield f.probed(
                            AuditVerdict.SITUATIONAL,
                            "%s takes it%s".formatted(p.on(), p.words().isEmpty() ? "." : ": " + p.words()),
                            f.instead(),
                            remembered(f, guess));
                }
                if (was == AuditVerdict.UNKNOWN) {
                    boolean same =
                            p.byDefault().filter(d -> equal(d, s.value())).isPresent();
                    yield f.probed(
                            same ? AuditVerdict.DEFAULT : AuditVerdict.VALID,
                            same
                                    ? "It is the default of " + p.on() + "."
                                    : "%s takes it%s; whether it helps is not known here."
                                            .formatted(
                                                    p.on(),
                                                    p.byDefault()
                                                            .map(d -> ", where " + d + " is the default")
                                                            .orElse("")),
                            same ? "nothing" : "",
                            Optional.empty());
                }
                boolean shown = (was == AuditVerdict.DEFAULT
                                && p.byDefault()
                                        .filter(d -> equal(d, s.value()))
                                        .isPresent())
                        || (was == AuditVerdict.RENAMED && p.outcome() == Probe.Outcome.DEPRECATED);
                // that it is accepted does not say whether it is any good
                yield shown ? f.probed(was, f.why(), f.instead(), Optional.empty()) : f;
            }
            case CHANGED ->
                was == AuditVerdict.WRONG
                        ? f.probed(was, f.why(), f.instead(), Optional.empty())
                        // no rule knows all values that a kernel does not take: where none spoke of this one, none is
                        // contradicted
                        : f.probed(
                                AuditVerdict.WRONG,
                                said(p),
                                f.instead(),
                                remembered(f, guess || !isAboutTheValue(f, all)));
        };
    }

    /** Whether a finding is what a rule says of this value, and not of the setting whatever it is. */
    private boolean isAboutTheValue(AuditFinding f, List<FoundSetting> all) {
        return f.rule()
                .map(r -> hit(r, f.found(), all).when())
                .filter(w -> !w.is().isEmpty()
                        || w.matches().isPresent()
                        || w.below().isPresent()
                        || w.above().isPresent())
                .isPresent();
    }

    /**
     * A kernel lacks the settings of modules that are not loaded, so only settings known to be removed are called
     * absent.
     */
    private static AuditFinding absent(AuditFinding f, Probe p, AuditVerdict was, boolean guess) {
        if (f.found().kind() == SettingKind.NGINX) { // another release, or a module, may have it
            return guess
                    ? f.probed(
                            AuditVerdict.SITUATIONAL,
                            said(p) + ": it does not start, unless a module or a later release has it.",
                            f.instead(),
                            Optional.empty())
                    : f;
        }
        boolean gone = was == AuditVerdict.REMOVED
                || was == AuditVerdict.RENAMED
                || was == AuditVerdict.TYPO
                || (f.found().kind() == SettingKind.SYSCTL
                        && (was == AuditVerdict.NO_EFFECT || was == AuditVerdict.DANGEROUS));
        if (gone) {
            return f.probed(was, f.why(), f.instead(), Optional.empty());
        }
        return f.probed(
                AuditVerdict.REMOVED,
                said(p),
                guess && f.instead().isEmpty() ? "check the name, or the module that has it" : f.instead(),
                remembered(f, guess));
    }

    private static String said(Probe p) {
        return "%s says: %s".formatted(p.on(), p.words());
    }

    private static Optional<String> remembered(AuditFinding f, boolean guess) {
        return guess
                ? Optional.empty()
                : Optional.of("remembered as %s: %s".formatted(f.verdict().words(), f.why()));
    }

    private static boolean equal(String a, String b) {
        OptionalDouble x = Amounts.of(a);
        OptionalDouble y = Amounts.of(b);
        return x.isPresent() && y.isPresent() ? x.getAsDouble() == y.getAsDouble() : a.equalsIgnoreCase(b);
    }
}
