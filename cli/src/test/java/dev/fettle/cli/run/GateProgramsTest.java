package dev.fettle.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fettle.cli.run.GatePrograms.Named;
import dev.fettle.cli.terminal.CliException;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.target.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GateProgramsTest {
    private final GatePrograms programs = new GatePrograms(new Machine().planReader());

    @TempDir
    Path folder;

    private String file(String name) throws IOException {
        return Files.writeString(folder.resolve(name), name).toString();
    }

    private static Target.Command command(List<List<String>> arguments) {
        return new Target.Command(
                arguments,
                Map.of("A", "b"),
                Map.of(),
                Map.of(),
                Map.of(),
                Optional.of("worker"),
                Map.of("jvm.gc", ""),
                Target.Jvm.SAME);
    }

    private Target in(Target target, String program) {
        Plan plan = Plan.of(
                "p",
                target,
                programs.plan(Named.of("x {port}"), "/", 1, Optional.empty()).load());
        return programs.in(plan, Named.of(program), "head");
    }

    private static List<List<String>> arguments(Target target) {
        return ((Target.Command) target).arguments();
    }

    @Test
    void aFileTakesThePlaceOfTheOnlyOneOfItsKind() throws Exception {
        String head = file("new.jar");
        Target.Command plan = command(
                List.of(List.of("{java}"), List.of("-Xmx{heap}", "-jar"), List.of("/opt/old.jar"), List.of("{port}")));
        Target other = in(plan, head);
        assertThat(arguments(other))
                .containsExactly(List.of("{java}"), List.of("-Xmx{heap}", "-jar"), List.of(head), List.of("{port}"));
        assertThat(((Target.Command) other).environment()).isEqualTo(plan.environment());
    }

    @Test
    void aFileWithoutAPlaceOfItsOwnIsRefused() throws Exception {
        String head = file("new.jar");
        Target.Command two = command(List.of(List.of("{java}"), List.of("-cp", "/a.jar"), List.of("-jar", "/c.jar")));
        assertThatThrownBy(() -> in(two, head)).isInstanceOf(CliException.class).hasMessageContaining("/c.jar");
        Target.Command none = command(List.of(List.of("node", "server.js")));
        assertThatThrownBy(() -> in(none, head)).hasMessageContaining("no jar");
    }

    @Test
    void aCommandTakesThePlaceOfTheCommand() {
        Target other = in(command(List.of(List.of("x"))), "{java} -jar '/a b.jar' {port}");
        assertThat(arguments(other))
                .containsExactly(List.of("{java}"), List.of("-jar"), List.of("/a b.jar"), List.of("{port}"));
    }

    @Test
    void aWarTakesThePlaceOfTheWarAndNothingElse() throws Exception {
        String head = file("new.war");
        var war = new Target.War(
                ServerKind.JETTY, "/old.war", "/shop", new Target.Jvm(Optional.of("25"), List.of("-Xmx1g")));
        assertThat(in(war, head)).isEqualTo(new Target.War(ServerKind.JETTY, head, "/shop", war.jvm()));
    }

    @Test
    void programsAreTheSameByTheirContent() throws Exception {
        String one = file("one.war");
        Path other = Files.copy(Path.of(one), folder.resolve("other.war"));
        String third = file("third.war");
        var plan = Plan.of(
                "p",
                war(one),
                programs.plan(Named.of("x {port}"), "/", 1, Optional.empty()).load());
        assertThat(GatePrograms.same(war(one), war(one), plan)).isTrue();
        assertThat(GatePrograms.same(war(one), war(other.toString()), plan)).isTrue();
        assertThat(GatePrograms.same(war(one), war(third), plan)).isFalse();
        var otherServer = new Target.War(ServerKind.JETTY, other.toString(), "/", Target.Jvm.SAME);
        assertThat(GatePrograms.same(war(one), otherServer, plan)).isFalse();
        assertThat(GatePrograms.same(command(List.of(List.of("a"))), command(List.of(List.of("b"))), plan))
                .isFalse();
    }

    private static Target war(String file) {
        return new Target.War(ServerKind.TOMCAT, file, "/", Target.Jvm.SAME);
    }

    /** Another Fettle that loads something is one by its arguments; one that shows a result disturbs nobody. */
    @Test
    void anotherFettleThatMeasures() {
        assertThat(OtherFettles.command("-Xmx1g", "-cp", "x.jar", "dev.fettle.cli.Main", "gate", "a.jar", "b.jar"))
                .contains("gate");
        assertThat(OtherFettles.command("-cp", "x.jar", "dev.fettle.cli.Main", "show", "gate-1"))
                .isEmpty();
        assertThat(OtherFettles.command("-cp", "x.jar", "dev.fettle.cli.Main")).isEmpty();
        assertThat(OtherFettles.command("gate", "tune")).isEmpty();
    }
}
