package dev.fettle.model.plan;

import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.target.Target;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Optional;

/**
 * One side of a comparison.
 *
 * @param name shown in tables
 * @param target what runs
 * @param setting its knobs, the plan's held ones included
 * @param load its own load, if it is not the plan's: a layer may be asked for another page
 */
@RecordBuilder
public record Variant(String name, Target target, Setting setting, Optional<Load> load) implements VariantBuilder.With {
    /** What a variant may be called. */
    public static final String NAMES = "[A-Za-z0-9][A-Za-z0-9 ._+=-]{0,39}";

    public static final String NO_NAME = "a variant's name is up to 40 letters, digits and ' ._+=-'";

    /** A variant under the plan's load. */
    public Variant(String name, Target target, Setting setting) {
        this(name, target, setting, Optional.empty());
    }
}
