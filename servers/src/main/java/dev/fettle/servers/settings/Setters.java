package dev.fettle.servers.settings;

import dev.fettle.agent.Knob;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Sets properties of the servers' objects by name, so that the catalogue can say where a knob is set. */
public final class Setters {
    private Setters() {}

    /** Calls the setter of a property with a knob's value. */
    public static void set(Object bean, String property, Object value, Knob knob) throws LaunchFailure {
        for (Method method : bean.getClass().getMethods()) {
            if (method.getName().equals("set" + capital(property)) && method.getParameterCount() == 1) {
                Object argument = fitted(value, method.getParameterTypes()[0], knob);
                if (argument != null) {
                    call(method, bean, argument, knob.name() + "=" + value);
                    return;
                }
            }
        }
        throw LaunchFailure.refused(bean.getClass().getName() + " has no property " + property + " for " + knob.name());
    }

    private static @Nullable Object fitted(Object value, Class<?> type, Knob knob) {
        if (value instanceof Long number) {
            if (type == int.class) {
                return (int) Math.min(Integer.MAX_VALUE, number);
            }
            return type == long.class ? (Object) number : type == Duration.class ? Duration.ofMillis(number) : null;
        }
        if (type == boolean.class) {
            return value;
        }
        return type == String.class ? knob.own(value) : null;
    }

    private static void call(Method method, Object bean, Object argument, String what) throws LaunchFailure {
        try {
            method.invoke(bean, argument);
        } catch (InvocationTargetException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw LaunchFailure.refused(what + " was refused: " + LaunchFailure.words(cause));
        } catch (IllegalAccessException e) {
            throw LaunchFailure.refused(what + " can't be set: " + LaunchFailure.words(e));
        }
    }

    private static String capital(String property) {
        return Character.toUpperCase(property.charAt(0)) + property.substring(1);
    }
}
