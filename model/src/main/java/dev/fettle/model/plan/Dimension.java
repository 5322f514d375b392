package dev.fettle.model.plan;

import java.util.List;

/**
 * One axis of a grid.
 *
 * @param name a knob ({@code threads.max}), a property of the load or the backend ({@code load.connections},
 *     {@code backend.delay}) or an option of the app ({@code app.bytes})
 * @param values in plan order, canonical
 */
public record Dimension(String name, List<String> values) {
    public Dimension {
        values = List.copyOf(values);
    }
}
