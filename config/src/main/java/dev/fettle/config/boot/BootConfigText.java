package dev.fettle.config.boot;

import dev.fettle.config.ConfigException;
import dev.fettle.config.YamlText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * The documents of a configuration file, each as flat properties: {@code server.tomcat.threads.max} to its text. Lists of
 * single values become one value, joined by commas.
 */
final class BootConfigText {
    private static final Pattern INDEXED = Pattern.compile("(.+)\\[([0-9]{1,4})\\]");
    private static final Pattern SEPARATOR = Pattern.compile("(?m)^[#!]---\\s*$");

    private BootConfigText() {}

    /**
     * Reads a file according to the ending of its name.
     *
     * @throws ConfigException with a reason of one line, if it cannot be read
     * @throws IllegalArgumentException likewise
     */
    static List<Map<String, String>> documents(String file, String text) throws ConfigException {
        return file.endsWith(".properties") ? properties(text) : yaml(text);
    }

    private static List<Map<String, String>> properties(String text) {
        var documents = new ArrayList<Map<String, String>>();
        for (String part : SEPARATOR.split(text, -1)) {
            var all = new TreeMap<String, String>();
            PropertiesText.read(part).forEach(p -> all.put(p.name(), p.value()));
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
