package dev.fettle.model.read;

import org.yaml.snakeyaml.nodes.Node;

/** A value, and where the plan has it. */
record Placed<T>(Node at, T value) {}
