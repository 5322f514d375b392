package dev.fettle.model.plan;

import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Target;

/**
 * One side of a comparison.
 *
 * @param name shown in tables
 * @param target what runs
 * @param setting its knobs, the plan's held ones included
 */
public record Variant(String name, Target target, Setting setting) {}
