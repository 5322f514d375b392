package dev.fettle.lab.agents;

import dev.fettle.lab.machine.Folders;
import dev.fettle.lab.port.LoadPort;
import dev.fettle.load.api.Tls;
import dev.fettle.model.load.Load;
import dev.fettle.model.load.Scenario;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * A load with the files that it names, so that it can be sent where they are not.
 *
 * @param files their contents, by their names on the machine that sends it
 */
record Shipped(LoadPort.Order order, Map<String, byte[]> files) {

    /**
     * Reads its files.
     *
     * @throws IllegalArgumentException if one can't be read, or they are too large
     */
    static Shipped of(LoadPort.Order order) {
        var files = new HashMap<String, byte[]>();
        long all = 0;
        for (String name : named(order.load())) {
            try {
                all += Files.size(Path.of(name));
                if (all > Frames.MOST_BYTES / 2) {
                    throw new IllegalArgumentException("the files of the load are more than "
                            + (Frames.MOST_BYTES >> 21) + " MiB, which other hosts don't take");
                }
                files.put(name, Files.readAllBytes(Path.of(name)));
            } catch (IOException e) {
                throw new IllegalArgumentException(name + " can't be read: " + e.getMessage(), e);
            }
        }
        return new Shipped(order, files);
    }

    private static List<String> named(Load load) {
        return Stream.concat(
                        load.scenario().stream().flatMap(s -> s.data().stream()).map(Scenario.Data::file),
                        load.wire().tls().flatMap(Tls::authorities).stream())
                .distinct()
                .toList();
    }

    /** Something that needs the files. */
    interface With<T> {
        T with(LoadPort.Order order);
    }

    /**
     * Does something with the load while its files are in a folder here, under other names.
     *
     * @throws UncheckedIOException if they can't be written
     */
    <T> T unpacked(With<T> what) {
        if (files.isEmpty()) {
            return what.with(order);
        }
        var here = new HashMap<String, String>();
        try {
            Path folder = Files.createTempDirectory("fettle-load");
            try {
                for (var file : files.entrySet()) {
                    String own = Path.of(file.getKey()).getFileName().toString();
                    Path made = Files.createDirectory(folder.resolve(String.valueOf(here.size())))
                            .resolve(own);
                    Files.write(made, file.getValue());
                    here.put(file.getKey(), made.toString());
                }
                return what.with(new LoadPort.Order(
                        renamed(order.load(), n -> here.getOrDefault(n, n)),
                        order.address(),
                        order.requests(),
                        order.atMost(),
                        order.drain(),
                        order.cpus(),
                        order.part()));
            } finally {
                Folders.delete(folder);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the files of the load can't be written: " + e.getMessage(), e);
        }
    }

    private static Load renamed(Load load, UnaryOperator<String> name) {
        Optional<Scenario> scenario = load.scenario()
                .map(s -> new Scenario(
                        s.flows(),
                        s.data().stream()
                                .map(d -> new Scenario.Data(name.apply(d.file()), d.order()))
                                .toList(),
                        s.variables(),
                        s.keepCookies(),
                        s.seed()));
        Optional<Tls> tls = load.wire().tls().map(t -> new Tls(t.authorities().map(name), t.insecure(), t.resume()));
        return load.withScenario(scenario).withWire(load.wire().withTls(tls));
    }
}
