package dev.fettle.config.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.model.knob.ServerKind;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which profiles an app has, by what the files of each say. */
class BootProfilesTest {
    /** An app with a file for each of a few profiles, of which the last active one is seen. */
    private static BootConfiguration read(String properties, String... arguments) {
        Map<String, String> profiles = Map.of("a", "1", "b", "2", "c", "3", "default", "9");
        var files = new BootConfiguration.Files() {
            @Override
            public String name() {
                return "app.jar";
            }

            @Override
            public void open(Consumer<List<List<BootConfiguration.Place>>> receiver) {
                receiver.accept(List.of(List.of(new BootConfiguration.Place("the jar", name -> {
                    String profile = name.replaceAll("application-?|\\.properties", "");
                    return name.equals("application.properties")
                            ? Optional.of(properties.replace('~', '\n'))
                            : Optional.ofNullable(name.endsWith(".properties") ? profiles.get(profile) : null)
                                    .map(n -> "server.tomcat.threads.max=" + n);
                }))));
            }
        };
        return BootConfiguration.of(files, ServerKind.TOMCAT, Arrays.asList(arguments), List.of(), Map.of());
    }

    @ParameterizedTest
    @CsvSource({
        "x=1, 9",
        "spring.profiles.active=a, 1",
        "spring.profiles.default=b, 2",
        "spring.profiles.default=b~spring.profiles.active=a, 1",
        // what is included comes first, so it is overridden, and the default profile is none then
        "spring.profiles.include=b, 2",
        "spring.profiles.include=b~spring.profiles.active=a, 1",
        "spring.profiles.include[0]=b~spring.profiles.include[1]=c, 3",
        // a group's members come after it
        "'spring.profiles.group.a=b,c~spring.profiles.active=a', 3",
        "'spring.profiles.group.a=b,c~spring.profiles.active=b', 2",
        "spring.profiles.group.a[0]=b~spring.profiles.active=a, 2",
        "spring.profiles.group.a=x~spring.profiles.group.x=c~spring.profiles.active=a, 3",
        "spring.profiles.group.a=b~spring.profiles.group.b=a~spring.profiles.active=a, 2",
        "spring.profiles.group.default=c, 3",
        "spring.profiles.include=a~spring.profiles.group.a=b, 2",
        // what holds for a profile only includes none
        "spring.profiles.active=a~#---~spring.config.activate.on-profile=a~spring.profiles.include=b, 1",
    })
    void includedOnesAndThoseOfAGroupCount(String properties, String most) {
        BootConfiguration read = read(properties);

        assertThat(read.setting().get("threads.max")).contains(most);
        assertThat(read.notes()).isEmpty();
    }

    @Test
    void includesOfTheArgumentsAndOfAFileAddUp() {
        assertThat(read("spring.profiles.include=c", "--spring.profiles.include=b")
                        .setting()
                        .get("threads.max"))
                .contains("3");
        assertThat(read("spring.profiles.group.a=b", "--spring.profiles.active=a")
                        .setting()
                        .get("threads.max"))
                .contains("2");
    }

    @ParameterizedTest
    @CsvSource({
        "spring.profiles.include=${X}, include",
        "spring.profiles.active=a~spring.profiles.group.a=${X}, group.a"
    })
    void whatOnlyTheAppResolvesIsSaid(String properties, String property) {
        BootConfiguration read = read(properties);

        assertThat(read.setting().get("threads.max")).isEmpty();
        assertThat(read.notes())
                .containsExactly("spring.profiles." + property
                        + " is ${X} in application.properties in the jar, which only the app resolves: files of a profile"
                        + " are not read");
    }
}
