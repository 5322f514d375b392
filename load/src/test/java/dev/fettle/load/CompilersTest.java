package dev.fettle.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** In a JVM of its own: niceness can't be taken back. */
@EnabledOnOs(OS.LINUX)
class CompilersTest {

    /** Raises, and prints each thread's name and niceness. */
    public static final class Main {
        private Main() {}

        public static void main(String[] args) throws Exception {
            System.out.println("raised " + JitCompilers.giveWay());
            try (var tasks = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
                for (Path task : tasks) {
                    String stat = Files.readString(task.resolve("stat"));
                    // proc_pid_stat(5): the niceness is field 19, the second is the name in parentheses
                    String niceness = stat.substring(stat.lastIndexOf(')') + 2).split(" ")[16];
                    System.out.println(niceness + " "
                            + Files.readString(task.resolve("comm")).strip());
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3})
    void theCompilersGiveWayAndNobodyElse(int more) throws Exception {
        Process jvm = new ProcessBuilder(
                        "nice",
                        "-n",
                        Integer.toString(more),
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        List<String> lines = jvm.inputReader().lines().toList();
        assertThat(jvm.waitFor()).isZero();
        Map<String, List<String>> byNiceness = new TreeMap<>();
        for (String line : lines.subList(1, lines.size())) {
            String[] parts = line.split(" ", 2);
            byNiceness.computeIfAbsent(parts[0], n -> new ArrayList<>()).add(parts[1]);
        }
        long own = byNiceness.keySet().stream().mapToLong(Long::parseLong).min().orElseThrow();
        List<String> nice = byNiceness.getOrDefault(Long.toString(own + JitCompilers.NICENESS), List.of());
        assertThat(nice).isNotEmpty().allMatch(name -> name.matches("C[12] Compiler.*"));
        assertThat(lines.getFirst()).isEqualTo("raised " + nice.size());
        assertThat(byNiceness.values().stream().flatMap(List::stream).filter(name -> name.matches("C[12] Compiler.*")))
                .hasSameSizeAs(nice);
    }
}
