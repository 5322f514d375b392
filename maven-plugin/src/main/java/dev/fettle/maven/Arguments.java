package dev.fettle.maven;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Arguments of the command, as a list: no shell reads them. What is not given is left out. */
final class Arguments {
    private final List<String> all = new ArrayList<>();

    /** One as it is. */
    Arguments plain(@Nullable Object value) {
        String text = text(value);
        if (!text.isEmpty()) {
            all.add(text);
        }
        return this;
    }

    /** {@code --name=value}. */
    Arguments option(String name, @Nullable Object value) {
        String text = text(value);
        if (!text.isEmpty()) {
            all.add("--" + name + "=" + text);
        }
        return this;
    }

    /** Each as it is. */
    Arguments options(@Nullable List<String> options) {
        if (options != null) {
            options.forEach(this::plain);
        }
        return this;
    }

    List<String> all() {
        return List.copyOf(all);
    }

    private static String text(@Nullable Object value) {
        return value == null ? "" : value.toString().strip();
    }
}
