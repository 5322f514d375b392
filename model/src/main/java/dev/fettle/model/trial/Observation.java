package dev.fettle.model.trial;

/** What was measured of a target under load, and what was seen of it and of the machine meanwhile. */
public record Observation(Measurement measurement, Evidence evidence) {}
