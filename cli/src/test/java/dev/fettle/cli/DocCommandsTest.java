package dev.fettle.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.read.OwnConfiguration;
import dev.fettle.model.read.PlanReader;
import dev.fettle.model.target.Target;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every {@code ./fettle …} in the README, the pages and the examples, and every {@code fettle …} on a line of its own, is a command with
 * options that there are, and its files exist; so are plans that are shown whole.
 */
class DocCommandsTest {
    /** The jar that the reader of a page has. */
    private static final OwnConfiguration READERS_OWN = new OwnConfiguration() {
        @Override
        public Setting of(Target target) {
            return Setting.DEFAULT;
        }

        @Override
        public BootApp look(Path jar) {
            return new BootApp(ServerKind.TOMCAT, "4.0.0");
        }
    };

    private static final Pattern IN_TEXT = Pattern.compile("`\\./fettle ([^`\n]+)`");
    private static final Pattern OF_ITS_OWN = Pattern.compile("(?m)^(?:#? *|\\$ )\\./fettle ([^\n]+)$");
    /** As help texts write it; a line of prose that happens to begin with the name ends in a full stop. */
    private static final Pattern IN_HELP = Pattern.compile("(?m)^ *fettle ([^\n]*[^.\n])$");
    /** In a sentence a command may lack what it needs: {@code fettle bench --pid}. */
    private static final Pattern NAMED = Pattern.compile("`fettle ([^`\n]+)`");

    private static final Pattern YAML = Pattern.compile("(?ms)^```yaml\n(.*?)^```");
    private static final Pattern WORD = Pattern.compile("'([^']*)'|\"([^\"]*)\"|([^\\s'\"]+)");

    private static List<Path> pages() throws Exception {
        Path home = Fettle.home();
        try (Stream<Path> docs = Files.walk(home.resolve("docs"));
                Stream<Path> examples = Files.walk(home.resolve("examples"))) {
            return Stream.concat(
                            Stream.of(home.resolve("README.md")),
                            Stream.concat(docs, examples)
                                    .filter(f -> f.toString().matches(".*\\.(md|yaml)")))
                    .filter(f -> !f.toString().contains("/build/"))
                    .sorted()
                    .toList();
        }
    }

    /**
     * The words of a command as a shell would split them, up to a pipe, a redirection or a gap with words about it; none where something
     * is left out.
     */
    private static List<String> words(String command) {
        var words = new ArrayList<String>();
        for (Matcher m = WORD.matcher(command.split(" {2,}", 2)[0]); m.find(); ) {
            String bare = m.group(3);
            if (bare != null && (bare.startsWith("|") || bare.startsWith(">") || bare.startsWith("#"))) {
                break;
            }
            words.add(bare != null ? bare : m.group(1) != null ? m.group(1) : m.group(2));
        }
        return words.stream().anyMatch(w -> w.contains("…") || w.startsWith("[")) ? List.of() : words;
    }

    private static List<List<String>> commands(String page) {
        var found = new ArrayList<List<String>>();
        for (Pattern p : List.of(IN_TEXT, OF_ITS_OWN, IN_HELP)) {
            for (Matcher m = p.matcher(page); m.find(); ) {
                List<String> words = words(m.group(1));
                if (!words.isEmpty()) {
                    found.add(words);
                }
            }
        }
        return found;
    }

    @Test
    void aSentenceNamesCommandsAndOptionsThatThereAre() throws Exception {
        var commands = Main.commandLine().getSubcommands();
        int seen = 0;
        for (Path page : pages()) {
            for (Matcher m = NAMED.matcher(Files.readString(page)); m.find(); ) {
                List<String> words = words(m.group(1));
                if (words.isEmpty()) {
                    continue;
                }
                seen++;
                String where = page + ": fettle " + m.group(1);
                assertThat(commands).as(where).containsKey(words.getFirst());
                var spec = commands.get(words.getFirst()).getCommandSpec();
                words.stream()
                        .filter(w -> w.startsWith("-"))
                        .forEach(w -> assertThat(spec.findOption(w)).as(where).isNotNull());
            }
        }
        assertThat(seen).isGreaterThan(40);
    }

    /** Blocks with a name, a target and a load are plans; the others show a part of one. */
    @Test
    void plansThatAreShownWholeAreRead(@TempDir Path folder) throws Exception {
        int seen = 0;
        for (Path page : pages()) {
            for (Matcher m = YAML.matcher(Files.readString(page)); m.find(); ) {
                String plan = m.group(1);
                if (!Stream.of("name", "target", "load").allMatch(k -> plan.matches("(?ms)(.*^)?" + k + ":.*"))) {
                    continue;
                }
                seen++;
                // a jar that the reader of the page has
                Files.createDirectories(folder.resolve("target"));
                Files.writeString(folder.resolve("target/shop.jar"), "");
                Path file = Files.writeString(folder.resolve("plan.yaml"), plan);
                assertThatCode(() -> new PlanReader(2, 4096, READERS_OWN).read(file))
                        .as(page + ":\n" + plan)
                        .doesNotThrowAnyException();
            }
        }
        assertThat(seen).isPositive();
    }

    @TestFactory
    Stream<DynamicTest> eachPage() throws Exception {
        var tests = new ArrayList<DynamicTest>();
        for (Path page : pages()) {
            List<List<String>> all = commands(Files.readString(page));
            if (!all.isEmpty()) {
                tests.add(DynamicTest.dynamicTest(Fettle.home().relativize(page).toString(), () -> {
                    for (List<String> words : all) {
                        // throws where an option or a command does not exist, or a value is none
                        Main.commandLine().parseArgs(words.toArray(String[]::new));
                        for (String word : words) {
                            if (word.matches("(examples|docs|bench)/.*")) {
                                assertThat(Fettle.home().resolve(word))
                                        .as(String.join(" ", words))
                                        .exists();
                            }
                        }
                    }
                }));
            }
        }
        assertThat(tests).hasSizeGreaterThan(20);
        return tests.stream();
    }

    @Test
    void commandsAreReadAsAShellDoes() {
        assertThat(commands(
                        "`./fettle bench URL --fail-if 'p99>50ms' | tee x` and `./fettle tune …`\n#   ./fettle sweep a.yaml > b\n#   ./fettle check b.yaml   says if it is sound\n"
                                + "  fettle show 3 --json\n# fettle show\nfettle report makes a page of it.\n"))
                .containsExactly(
                        List.of("bench", "URL", "--fail-if", "p99>50ms"),
                        List.of("sweep", "a.yaml"),
                        List.of("check", "b.yaml"),
                        List.of("show", "3", "--json"));
    }
}
