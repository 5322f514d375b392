package dev.fettle.model.read;

import dev.fettle.model.key.Key;
import dev.fettle.model.key.Matches;
import dev.fettle.model.key.Section;
import java.util.Optional;

/** The keys of a machine under {@code hosts}. */
@Section(value = "host", what = "hosts.%s", doc = "Another machine that takes part.")
record HostKeys(
        YamlFields at,

        @Key(value = "How your ssh calls it: HOST, USER@HOST, or a name of its configuration.", required = "perf@gen-1")
        @Matches(
                value = "(ssh://)?[A-Za-z0-9_\\[][A-Za-z0-9_.+@:%\\]-]{0,246}",
                says = "ssh is HOST, USER@HOST, ssh://USER@HOST:PORT, or a name of your ssh configuration, not '%s'")
        Optional<String> ssh) {
    static final String NAMES = "[A-Za-z0-9][A-Za-z0-9_-]{0,63}";
}
