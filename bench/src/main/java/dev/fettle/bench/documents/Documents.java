package dev.fettle.bench.documents;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code keep NAME REPORT.json [COMMAND…]} keeps what a run found, {@code write} fills the pages. See bench/documents.sh. */
public record Documents(Path home) {
    /** Pages outside the folder of the documents that have figures from it. */
    private static final List<String> OTHERS = List.of("docs/index.md");

    /** Pages and pictures as they should be, by their path. */
    Map<Path, String> made() throws IOException {
        var made = new LinkedHashMap<Path, String>();
        Path folder = home.resolve("docs/documents");
        var pages = new Pages(folder.resolve("data"));
        try (var files = Files.newDirectoryStream(folder, "*.md")) {
            for (Path page : files) {
                made.put(page, pages.filled(Files.readString(page), "images/"));
            }
        }
        for (String other : OTHERS) {
            Path page = home.resolve(other);
            if (Files.exists(page)) {
                made.put(page, pages.filled(Files.readString(page), "documents/images/"));
            }
        }
        pages.pictures()
                .forEach((name, text) -> made.put(folder.resolve("images").resolve(name), text));
        return made;
    }

    private void keep(String name, Path report, String command) throws IOException {
        var json = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
        var found = json.readTree(report.toFile());
        // a judgement or an audit is small and has no trials
        Object kept = found.has("trials") || Searches.isCapacity(found)
                ? KeptRun.of(found, command)
                : found.has("sound") ? KeptRun.ofCheck(found) : found;
        Path data = Files.createDirectories(home.resolve("docs/documents/data"));
        Files.writeString(data.resolve(name + ".json"), json.writeValueAsString(kept) + "\n");
    }

    /** Keeps or writes. */
    public static void main(String[] args) throws IOException {
        var documents = new Documents(Path.of(System.getProperty("fettle.home", ".")));
        if (args.length >= 3 && args[0].equals("keep")) {
            documents.keep(
                    args[1], Path.of(args[2]), String.join(" ", List.of(args).subList(3, args.length)));
        } else if (args.length == 1 && args[0].equals("write")) {
            for (var e : documents.made().entrySet()) {
                Files.createDirectories(e.getKey().getParent());
                if (!Files.exists(e.getKey()) || !Files.readString(e.getKey()).equals(e.getValue())) {
                    Files.writeString(e.getKey(), e.getValue());
                    System.out.println(e.getKey());
                }
            }
        } else {
            System.err.println("Documents keep NAME REPORT.json [COMMAND…] | write");
            System.exit(2);
        }
    }
}
