package dev.fettle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import dev.fettle.cli.PatternEffort.Use;
import dev.fettle.model.key.Matches;
import dev.fettle.model.key.Names;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * No regular expression takes more than linear time or a deep stack, whatever text it is given. All are found by themselves: those
 * that classes keep, those that stand in front of {@code String.split} and its like, and those passed to a method that compiles them.
 */
class LinearPatternsTest {
    private static final List<Class<?>> CLASSES = OwnClasses.ALL.stream()
            .filter(c -> !c.getPackageName().startsWith("dev.fettle.servers")
                    && !c.getPackageName().startsWith("dev.fettle.agent")
                    && !c.getPackageName().startsWith("dev.fettle.bench"))
            .map(JavaClass::reflect)
            .collect(Collectors.toList());

    /** Methods that compile what they are given, or what they put together; the patterns are constants of their callers or of data. */
    private static final List<String> COMPILES = List.of(
            "Auditor.holds",
            "Binder.entries",
            "Binder.text",
            "BootJar.library",
            "Holder.lambda$static$1",
            "Journal.lambda$find$0",
            "ResultImport.ab",
            "ResultImport.first",
            "ResultImport.has",
            "ResultImport.percentiles",
            "ResultSplit.<init>",
            "StepCompiler.regex",
            "WatchedTomcat.workers");

    @Test
    void everyPatternThatIsKept() throws IOException {
        List<KeptPatterns.Kept> kept = KeptPatterns.of(CLASSES);
        assertThat(kept).hasSizeGreaterThan(200);
        assertThat(excesses(kept)).isEmpty();
    }

    @Test
    void everyExpressionInAMethod() throws IOException {
        var unknown = new ArrayList<String>();
        List<KeptPatterns.Kept> kept = KeptPatterns.inline(CLASSES, unknown);
        assertThat(kept).hasSizeGreaterThan(500);
        assertThat(unknown).as("expressions made at run time").isSubsetOf(COMPILES);
        assertThat(excesses(kept)).isEmpty();
    }

    @Test
    void everyExpressionThatIsPassedOn() throws IOException {
        List<KeptPatterns.Kept> kept = KeptPatterns.passed(CLASSES.stream()
                .filter(c -> c.getPackageName().equals("dev.fettle.model.imports"))
                .toList());
        assertThat(kept).hasSizeGreaterThan(50);
        assertThat(excesses(kept)).isEmpty();
    }

    /** Of what a plan's keys and texts look like: {@code Binder} compiles these. */
    @Test
    void everyExpressionOfAPlansKeys() {
        List<KeptPatterns.Kept> kept = CLASSES.stream()
                .filter(Class::isRecord)
                .flatMap(c -> Stream.of(c.getRecordComponents()))
                .flatMap(c -> Stream.concat(
                                Stream.ofNullable(c.getAnnotation(Names.class)).map(Names::value),
                                Stream.ofNullable(c.getAnnotation(Matches.class))
                                        .map(Matches::value))
                        .map(p -> new KeptPatterns.Kept(
                                c.getDeclaringRecord().getSimpleName() + "." + c.getName(),
                                Pattern.compile(p),
                                EnumSet.of(Use.WHOLE))))
                .toList();
        assertThat(kept).hasSizeGreaterThan(10);
        assertThat(excesses(kept)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\\.?\\[([^\\]]*[^0-9\\]][^\\]]*)\\]",
                "<!--.*?-->",
                "(.*?)([\\w./-]+)(\\s*=\\s*)(.*)",
                "[^=&\\s{}<>]+=[^&\\s]*(?:&[^=&\\s]+=[^&\\s]*)*",
                "(?:a|b)*c",
                "(a+)+b"
            })
    void findsTheOnesThatAreNot(String expression) {
        assertThat(PatternEffort.excess(Pattern.compile(expression), EnumSet.allOf(Use.class)))
                .isPresent();
    }

    private static List<String> excesses(List<KeptPatterns.Kept> kept) {
        Set<List<Object>> seen = ConcurrentHashMap.newKeySet();
        return kept.parallelStream()
                .filter(k -> seen.add(List.of(k.pattern().pattern(), k.pattern().flags(), k.uses())))
                .flatMap(k -> PatternEffort.excess(k.pattern(), k.uses()).stream()
                        .map(e -> k.name() + " " + k.pattern() + "\n      " + e.text() + "\n      " + e.why()))
                .toList();
    }
}
