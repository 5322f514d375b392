package dev.fettle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.Callable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

class MainTest {
    @Command(name = "greedy")
    private static final class Greedy implements Callable<Integer> {
        @Option(names = "--deep")
        private boolean deep;

        @Option(names = "--verbose")
        private boolean verbose;

        @Override
        public Integer call() {
            throw deep ? new StackOverflowError() : new OutOfMemoryError("Java heap space");
        }
    }

    @Command(name = "top", subcommands = Greedy.class)
    private static final class Top {}

    @ParameterizedTest
    @CsvSource({
        "greedy,there is not enough memory for this: java.lang.OutOfMemoryError: Java heap space,1",
        "greedy --deep,this is nested too deeply: java.lang.StackOverflowError,1",
        "greedy --verbose,there is not enough memory for this: java.lang.OutOfMemoryError: Java heap space,2",
    })
    void whatIsTooMuchIsToldInALine(String arguments, String told, int atLeast) {
        var err = new StringWriter();
        CommandLine line = new CommandLine(new Top()).setErr(new PrintWriter(err));
        assertThat(Main.execute(line, arguments.split(" ", -1))).isEqualTo(1);
        assertThat(err.toString()).startsWith("fettle: " + told + " (with --verbose: where)\n");
        assertThat(err.toString().lines().count()).isBetween((long) atLeast, atLeast == 1 ? 1L : 1000L);
    }
}
