package dev.fettle.lab.launch;

import dev.fettle.lab.process.GivenSecrets;
import dev.fettle.model.text.ShortLines;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Finds in a server's log files why a web application did not deploy. The server runs on without it and answers 404 or 503,
 * which explains nothing.
 *
 * @param folders the trial's log files, and folders of them
 */
record DeployLog(List<Path> folders) {
    private static final long MOST_BYTES = 4 << 20;

    /** Tomcat's and Jetty's messages for an application that did not start. */
    private static final Pattern FAILED = Pattern.compile(
            "startup failed due to previous errors|Error deploying"
                    + "|Error starting child|ContainerBase\\.addChild: start|Failed startup of context|Unable to (?:deploy|start) ");

    /** The first line of a log record; lines up to the next one belong to it. */
    private static final Pattern RECORD = Pattern.compile("(?:\\d{2}-\\p{L}{3}-\\d{4}|\\d{4}-\\d{2}-\\d{2})[ T].*");

    private static final Pattern SEVERE = Pattern.compile(".*(?:SEVERE|:WARN|:ERROR| WARN | ERROR ).*");
    private static final int LONGEST_LINE = 4096;

    private static final Pattern THROWN = Pattern.compile(
            "(?:Caused by: )?((?:[\\w$]++\\.)++(?=[\\w$]*(?:Exception|Error|Throwable))[\\w$]++(?::.*)?)");

    DeployLog {
        folders = List.copyOf(folders);
    }

    /**
     * Why an application did not deploy, in one line; empty if the logs show no failure.
     *
     * @param secrets what the server was given, which is masked
     */
    Optional<String> problem(GivenSecrets secrets) {
        return problem().map(secrets::mask);
    }

    private Optional<String> problem() {
        var records = new ArrayList<List<String>>();
        for (Path file : files()) {
            records.addAll(records(file));
        }
        boolean failed =
                records.stream().anyMatch(r -> FAILED.matcher(r.getFirst()).find());
        if (!failed) {
            return Optional.empty();
        }
        return Optional.of(records.stream()
                .filter(r -> SEVERE.matcher(r.getFirst()).matches())
                .flatMap(r -> thrown(r).stream())
                .findFirst()
                .orElseGet(() -> records.stream()
                        .map(List::getFirst)
                        .filter(l -> FAILED.matcher(l).find())
                        .findFirst()
                        .orElseThrow()));
    }

    /** The innermost exception of a record. */
    private static Optional<String> thrown(List<String> lines) {
        Optional<String> innermost = Optional.empty();
        for (String line : lines) {
            Matcher m = THROWN.matcher(line.strip());
            if (m.matches()) {
                innermost = Optional.of(m.group(1));
            }
        }
        return innermost;
    }

    private static List<List<String>> records(Path file) {
        var records = new ArrayList<List<String>>();
        try (var in = new InputStreamReader(Files.newInputStream(file), StandardCharsets.ISO_8859_1);
                var lines = new BufferedReader(new ShortLines(in, LONGEST_LINE))) {
            lines.lines().limit(100_000).forEach(line -> {
                if (records.isEmpty() || RECORD.matcher(line).matches()) {
                    records.add(new ArrayList<>());
                }
                records.getLast().add(line);
            });
        } catch (IOException | java.io.UncheckedIOException e) {
            return records; // use what was read so far
        }
        return records;
    }

    private List<Path> files() {
        var files = new ArrayList<Path>();
        for (Path folder : folders) {
            if (Files.isRegularFile(folder)) {
                files.add(folder);
            } else if (Files.isDirectory(folder)) {
                try (Stream<Path> inside = Files.list(folder)) {
                    inside.filter(Files::isRegularFile)
                            .filter(f -> !f.getFileName().toString().contains("access"))
                            .sorted()
                            .forEach(files::add);
                } catch (IOException e) {
                    continue; // the console's log is there
                }
            }
        }
        files.removeIf(f -> f.toFile().length() > MOST_BYTES);
        return files;
    }
}
