package dev.fettle.model.read;

import org.yaml.snakeyaml.nodes.Node;

/** An entry of a mapping whose names the plan's author chooses. */
record Named<T>(String name, Node nameAt, Node at, T value) {}
