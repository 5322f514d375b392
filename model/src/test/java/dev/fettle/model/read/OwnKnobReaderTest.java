package dev.fettle.model.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.fettle.model.knob.Knob;
import dev.fettle.model.knob.OwnKnob;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.KnobRange;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.plan.Redaction;
import dev.fettle.model.text.Json;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Knobs of the user's application: declared, named elsewhere in the plan, kept in the journal. */
class OwnKnobReaderTest {
    private static final String COMMAND = """
            name: p
            target:
              command: ["{java}", "{jvm}", --port, "{port}", [--pool, "{own.pool}"]]
              files: {conf/app.properties: "pool=5"}
            load: {connections: 10}
            """;

    private static Plan read(String text) {
        return new PlanReader(4, 4096).read("p.yaml", text);
    }

    @Test
    void aKnobIsWhatThePlanSays() throws Exception {
        Plan plan = read(COMMAND + """
                own:
                  pool: {type: int, from: 1, to: 200, default: 10, unit: connections, about: HikariCP's, read: {url: /pool, pointer: /max}}
                  wait: {type: duration, from: 1ms, to: 1m, unit: s, scale: linear, set: {env: POOL_WAIT}}
                  cache: {type: enum, choices: [LRU, LFU], set: {system-property: app.cache}}
                  size: {type: size, set: {file: conf/app.properties, line: "size={value}"}}
                hold: {own.wait: 30s}
                knobs: {own.pool: {from: 2, to: 100}, own.cache: [LFU, LRU]}
                sweep: {grid: {own.pool: [5, 50], own.size: [64k]}}
                """);
        assertThat(plan.own())
                .first()
                .isEqualTo(new OwnKnob(
                        "own.pool",
                        Knob.Type.INT,
                        Knob.Scale.LOG,
                        1,
                        200,
                        List.of(),
                        Optional.of("10"),
                        "connections",
                        "HikariCP's",
                        new OwnKnob.Placeholder(),
                        Optional.of(new OwnKnob.Document("/pool", "/max"))));
        assertThat(plan.own())
                .extracting(OwnKnob::described)
                .startsWith("HikariCP's (in connections; 10 by default)", "duration (in s)", "enum");
        assertThat(plan.ownDefault("own.pool")).hasValue("10");
        assertThat(plan.ownDefault("own.wait")).isEmpty();
        assertThat(plan.ownDefault("threads.max")).isEmpty();
        assertThat(plan.own()).extracting(OwnKnob::set).contains(new OwnKnob.Variable("POOL_WAIT"));
        assertThat(plan.hold()).isEqualTo(Setting.of("own.wait", "30000"));
        assertThat(plan.knobs())
                .containsExactly(
                        KnobRange.interval("own.pool", 2, 100), KnobRange.choices("own.cache", List.of("LFU", "LRU")));
        assertThat(plan.sweep().orElseThrow().grid().get(1).values()).containsExactly("64k");

        Plan kept = Redaction.of(plan);
        assertThat(Json.mapper().readValue(Json.mapper().writeValueAsString(kept), Plan.class))
                .isEqualTo(kept);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "own: {pool: {}}|needs 'type'",
                "own: {pool: {type: number}}|type is one of int, duration",
                "own: {Pool: {type: int}}|the name of an own knob is like pool",
                "own: {pool: {type: int, from: 9, to: 3}}|'to' is above 'from'",
                "own: {pool: {type: int, from: 1, to: 9, default: 20}}|own.pool=20 is out of range: 1 to 9",
                "own: {pool: {type: int, default: 10}}, knobs: {own.pool: [10]}|own.pool: 10 is its default, so there is nothing to try",
                "own: {pool: {type: bool, from: 1}}|own.pool is bool and has no 'from'",
                "own: {pool: {type: enum}}|needs 'choices'",
                "own: {pool: {type: int, choices: [1]}}|only an enum has 'choices'",
                "own: {pool: {type: duration, unit: days}}|the unit of a duration is ns, us, ms, s, m or h",
                "own: {idle: {type: int}}|nothing says where it is set: give it 'set', or put {own.idle} into the command",
                "own: {pool: {type: int, set: {property: a.b}}}|a property is for a Spring Boot jar",
                "own: {pool: {type: int, set: {env: 'a b'}}}|'a b' is no name for a env",
                "own: {pool: {type: int, set: {file: x.conf, line: 'a={value}'}}}|there is no 'x.conf' in the command's files",
                "own: {pool: {type: int, set: {file: ../x, line: 'a={value}'}}}|file is a path inside",
                "own: {pool: {type: int, set: {file: conf/app.properties, line: 'a=1'}}}|has {value} in it",
                "own: {pool: {type: int, set: {file: conf/app.properties, xpath: '//a'}}}|xpath ends with the attribute",
                "own: {pool: {type: int, set: {file: conf/app.properties}}}|either 'line'",
                "own: {pool: {type: int, set: {env: A, property: b}}}|set is one of",
                "own: {pool: {type: int, read: {mbean: 'a:b=c'}}}|needs 'attribute'",
                "own: {pool: {type: int, read: {url: pool}}}|url is a path on the target",
                "own: {pool: {type: int, read: {}}}|read is one of",
                "knobs: {own.pool: [1, 2]}|own.pool is not declared: say what it is under 'own'",
                "own: {pool: {type: int, from: 1, to: 9}}, knobs: {own.pool: {from: 1, to: 10}}|own.pool is a whole number from 1 to 9",
                "own: {pool: {type: int}}, hold: {own.pol: 3}|own.pol is not declared under 'own'; there is own.pool",
                "own: {pool: {type: int}}, sweep: {grid: {own.pol: [3]}}|own.pol is not declared",
            })
    void aMistakeIsTold(String tail, String words) {
        String text = COMMAND + tail.replaceAll("}, (knobs|hold|sweep)", "}\n$1") + "\n";
        assertThatExceptionOfType(PlanException.class)
                .isThrownBy(() -> read(text))
                .withMessageContaining(words);
    }

    @Test
    void aTargetThatRunsAlreadyHasNoOwnKnobs() {
        assertThatExceptionOfType(PlanException.class)
                .isThrownBy(() -> read(
                        "name: p\ntarget: {pid: 12}\nload: {connections: 1}\nown: {a: {type: int, set: {env: A}}}\n"))
                .withMessageContaining("Fettle does not start process 12");
    }

    @ParameterizedTest
    @CsvSource({
        "int,'',20,20,20.0,20",
        "int,'',20,20,10,10",
        "duration,s,30000,30,30.0,30000",
        "duration,'',1500,1500,1500,1500",
        "duration,ns,1,1000000,PT0.001S,PT0.001S",
        "duration,s,500,0.5,0.5,500",
        "duration,ms,500,500,2s,2000",
        "size,'',64k,65536,65536,64k",
        "int,'',20,20,many,many"
    })
    void aValueIsWrittenAndReadInTheApplicationsWords(
            String type, String unit, String canonical, String written, String told, String read) {
        OwnKnob knob = read(COMMAND + "own: {pool: {type: " + type + (unit.isEmpty() ? "" : ", unit: " + unit) + "}}\n")
                .own()
                .getFirst();
        assertThat(knob.written(canonical)).isEqualTo(written);
        assertThat(knob.told(told)).isEqualTo(read);
    }
}
