package dev.fettle.cli.option;

import dev.fettle.model.plan.CompareAsked;
import dev.fettle.model.plan.Variant;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What is asked of a comparison beyond its plan. */
public final class CompareOptions {
    @Option(
            names = "--variant",
            paramLabel = "NAME=PROGRAM",
            description =
                    "Compare programs in place of the plan's variants: a jar, a WAR or a server's home in place of the target's own, all"
                            + " else equal. Say it for each, the present one first.")
    private List<String> variants = List.of();

    @Option(
            names = "--fail-if-slower",
            paramLabel = "SHARE",
            converter = Converters.Share.class,
            description =
                    "End with 5 if another variant is shown to be worse than the first, by so much or more, and with 6 if it can't tell: 3%%")
    private @Nullable Double slower;

    /** What is asked; empty if nothing is. */
    public Optional<CompareAsked> asked() {
        if (slower != null && (slower <= 0 || slower >= 1)) {
            throw Parse.usage("--fail-if-slower is a share above 0 and below 100 %, such as 3%");
        }
        Map<String, String> programs = programs();
        return programs.isEmpty() && slower == null
                ? Optional.empty()
                : Optional.of(new CompareAsked(programs, Optional.ofNullable(slower)));
    }

    private Map<String, String> programs() {
        var programs = new LinkedHashMap<String, String>();
        for (String variant : variants) {
            int equals = variant.indexOf('=');
            if (equals < 1 || equals == variant.length() - 1) {
                throw Parse.usage("--variant " + variant + ": NAME=PROGRAM is wanted, such as old=shop-1.4.jar");
            }
            String name = variant.substring(0, equals);
            if (!name.matches(Variant.NAMES)) {
                throw Parse.usage("--variant " + variant + ": " + Variant.NO_NAME);
            }
            String program = Path.of(variant.substring(equals + 1))
                    .toAbsolutePath()
                    .normalize()
                    .toString();
            if (programs.put(name, program) != null) {
                throw Parse.usage("--variant: two are called '" + name + "'");
            }
        }
        if (programs.size() == 1) {
            throw Parse.usage(
                    "--variant: a comparison needs at least two, such as --variant old=a.jar --variant new=b.jar");
        }
        return programs;
    }
}
