package dev.fettle.model.knob;

import java.util.Arrays;
import java.util.List;

/**
 * An attribute of a server's MBeans: {@code ThreadPool@maxThreads}.
 *
 * @param type the key {@code type} of the MBean's name
 * @param attribute its attribute
 */
public record MBeanPlace(String type, String attribute) {

    /** The MBean attributes of a knob on a server; none if its MBeans lack it. */
    public static List<MBeanPlace> of(NativeKnob knob) {
        return Arrays.stream(knob.mbean().split(" "))
                .filter(p -> knob.applies() && !p.isEmpty())
                .map(p -> p.split("@", 2))
                .map(p -> new MBeanPlace(p[0], p[1]))
                .toList();
    }
}
