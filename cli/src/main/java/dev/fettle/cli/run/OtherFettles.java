package dev.fettle.cli.run;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Other processes of Fettle on this machine that load something: in another folder, nothing keeps two from measuring each other. */
public final class OtherFettles {
    private static final Set<String> LOADING =
            Set.of("gate", "tune", "compare", "sweep", "capacity", "diagnose", "bench", "resume");

    private static final String MAIN = "dev.fettle.cli.Main";

    private OtherFettles() {}

    /** Each in words: {@code process 4711, fettle gate}. */
    public static List<String> measuring() {
        long own = ProcessHandle.current().pid();
        return ProcessHandle.allProcesses()
                .filter(p -> p.pid() != own)
                .flatMap(p -> p.info().arguments().flatMap(OtherFettles::command).stream()
                        .map(c -> "process " + p.pid() + ", fettle " + c + ","))
                .toList();
    }

    /** Which loading command a JVM's arguments run; empty if none of Fettle's. */
    static Optional<String> command(String... arguments) {
        int main = Arrays.asList(arguments).indexOf(MAIN);
        return main < 0 || main + 1 >= arguments.length
                ? Optional.empty()
                : Optional.of(arguments[main + 1]).filter(LOADING::contains);
    }
}
