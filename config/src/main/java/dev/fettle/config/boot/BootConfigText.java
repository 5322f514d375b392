package dev.fettle.config.boot;

import dev.fettle.config.ConfigException;
import dev.fettle.config.YamlText;
import dev.fettle.config.YamlText.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * The documents of a configuration file, each as flat properties: {@code server.tomcat.threads.max} to its text. Lists of
 * single values become one value, joined by commas.
 */
public final class BootConfigText {
    private static final Pattern INDEXED = Pattern.compile("(.+)\\[([0-9]{1,4})\\]");
    /** Since Spring Boot 2.4, and before. */
    private static final Set<String> ON_PROFILE = Set.of(
            BootProperties.canonical("spring.config.activate.on-profile"), BootProperties.canonical("spring.profiles"));

    private static final Pattern SEPARATOR = Pattern.compile("(?m)^[#!]---\\s*$");

    private BootConfigText() {}

    /**
     * Reads a file according to the ending of its name.
     *
     * @throws ConfigException with a reason of one line, if it cannot be read
     * @throws IllegalArgumentException likewise
     */
    static List<Map<String, String>> documents(String file, String text) throws ConfigException {
        return file.endsWith(".properties") ? flat(text) : yaml(text);
    }

    private static List<Map<String, String>> flat(String text) {
        return properties(text).stream()
                .map(document -> {
                    var all = new TreeMap<String, String>();
                    document.forEach(p -> all.put(p.name(), p.value()));
                    return joined(all);
                })
                .toList();
    }

    /**
     * The documents of a properties file, with positions in the whole text.
     *
     * @throws IllegalArgumentException if a character is written as {@code \}{@code u} without four digits
     */
    public static List<List<Value>> properties(String text) {
        List<Integer> ends = new ArrayList<>(
                SEPARATOR.matcher(text).results().map(MatchResult::start).toList());
        ends.add(text.length());
        var documents = new ArrayList<List<Value>>();
        List<Value> all = PropertiesText.read(text);
        int from = 0;
        for (int end : ends) {
            int start = from;
            documents.add(all.stream()
                    .filter(v -> v.start() >= start && v.start() < end)
                    .toList());
            from = end;
        }
        return documents;
    }

    /** Where a document holds: {@code profile prod} if in that profile alone, as it is written; empty if everywhere. */
    public static String scope(List<Value> document) {
        return document.stream()
                .filter(v ->
                        ON_PROFILE.contains(BootProperties.canonical(v.name().replaceFirst("\\[\\d+]$", ""))))
                .map(Value::value)
                .reduce((a, b) -> a + ", " + b)
                .map("profile "::concat)
                .orElse("");
    }

    /** {@code types[0]=a}, {@code types[1]=b} become {@code types=a,b}. */
    static Map<String, String> joined(Map<String, String> properties) {
        var plain = new LinkedHashMap<String, String>();
        var lists = new TreeMap<String, TreeMap<Integer, String>>();
        properties.forEach((name, value) -> {
            Matcher m = INDEXED.matcher(name);
            if (m.matches()) {
                lists.computeIfAbsent(m.group(1), n -> new TreeMap<>()).put(Integer.valueOf(m.group(2)), value);
            } else {
                plain.put(name, value);
            }
        });
        lists.forEach((name, values) -> plain.put(name, String.join(",", values.values())));
        return plain;
    }

    private static List<Map<String, String>> yaml(String text) throws ConfigException {
        var documents = new ArrayList<Map<String, String>>();
        YamlText yaml = YamlText.parse(text);
        for (Node document : yaml.documents()) {
            if (!(document instanceof MappingNode) && !document.getTag().equals(Tag.NULL)) {
                throw new ConfigException("it holds no mapping");
            }
            var flat = new LinkedHashMap<String, String>();
            yaml.values(document).forEach(v -> flat.put(v.name(), v.value()));
            documents.add(flat);
        }
        return documents;
    }
}
