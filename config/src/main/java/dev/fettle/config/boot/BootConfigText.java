package dev.fettle.config.boot;

import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;

/**
 * The documents of a configuration file, each as flat properties: {@code server.tomcat.threads.max} to its text. Lists of
 * single values become one value, joined by commas.
 */
final class BootConfigText {
    private static final int MOST_ENTRIES = 20_000;
    private static final int DEEPEST = 50;
    private static final Pattern INDEXED = Pattern.compile("(.+)\\[([0-9]{1,4})\\]");
    private static final Pattern SEPARATOR = Pattern.compile("(?m)^[#!]---\\s*$");

    private BootConfigText() {}

    /**
     * Reads a file by what its name ends with.
     *
     * @throws IllegalArgumentException with a reason of one line, if it cannot be read
     */
    static List<Map<String, String>> documents(String file, String text) {
        return file.endsWith(".properties") ? properties(text) : yaml(text);
    }

    private static List<Map<String, String>> properties(String text) {
        var documents = new ArrayList<Map<String, String>>();
        for (String part : SEPARATOR.split(text, -1)) {
            var properties = new Properties();
            try {
                properties.load(new StringReader(part));
            } catch (IOException e) {
                throw new IllegalStateException(e); // a text in memory
            }
            var all = new TreeMap<String, String>();
            properties.forEach((name, value) -> all.put(name.toString(), value.toString()));
            documents.add(joined(all));
        }
        return documents;
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

    private static List<Map<String, String>> yaml(String text) {
        var options = new LoaderOptions();
        options.setAllowDuplicateKeys(false); // nor does Spring Boot
        options.setNestingDepthLimit(DEEPEST);
        var documents = new ArrayList<Map<String, String>>();
        try {
            for (Object document : new Yaml(new SafeConstructor(options)).loadAll(text)) {
                var flat = new LinkedHashMap<String, String>();
                if (document instanceof Map<?, ?> map) {
                    flatten("", map, flat, 0);
                } else if (document != null) {
                    throw new IllegalArgumentException("it holds no mapping");
                }
                documents.add(flat);
            }
        } catch (MarkedYAMLException e) {
            String line = e.getProblemMark() == null
                    ? ""
                    : "line " + (e.getProblemMark().getLine() + 1) + ": ";
            throw new IllegalArgumentException(
                    line + "not YAML: " + String.valueOf(e.getProblem()).replaceAll("\\s+", " "), e);
        } catch (YAMLException e) {
            throw new IllegalArgumentException(
                    "not YAML: " + String.valueOf(e.getMessage()).replaceAll("\\s+", " "), e);
        }
        return documents;
    }

    /** Aliases may repeat a part, even within itself: the bounds are on what comes out. */
    private static void flatten(String prefix, Map<?, ?> map, Map<String, String> out, int depth) {
        for (var e : map.entrySet()) {
            if (out.size() > MOST_ENTRIES || depth > DEEPEST) {
                throw new IllegalArgumentException("it expands to more than %d entries".formatted(MOST_ENTRIES));
            }
            String key = String.valueOf(e.getKey());
            String name = prefix.isEmpty() || key.startsWith("[") ? prefix + key : prefix + "." + key;
            Object value = e.getValue();
            if (value instanceof Map<?, ?> inner) {
                flatten(name, inner, out, depth + 1);
            } else if (value instanceof List<?> list) {
                list(name, list, out, depth);
            } else {
                out.put(name, text(value));
            }
        }
    }

    private static void list(String name, List<?> list, Map<String, String> out, int depth) {
        if (list.stream().noneMatch(v -> v instanceof Map || v instanceof List)) {
            out.put(
                    name,
                    String.join(",", list.stream().map(BootConfigText::text).toList()));
            return;
        }
        for (int i = 0; i < list.size(); i++) {
            flatten(name, Map.of("[" + i + "]", list.get(i) == null ? "" : list.get(i)), out, depth + 1);
        }
    }

    private static String text(@Nullable Object value) {
        return value == null ? "" : value.toString();
    }
}
