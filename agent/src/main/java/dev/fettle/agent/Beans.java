package dev.fettle.agent;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Reads objects by name, and sets their properties: the servers' classes belong to other class loaders, and the catalogue names where each knob
 * is. Nothing here fails: what does not exist, or is elsewhere in this release, is null.
 */
public final class Beans {
    private Beans() {}

    /** The value of a property through its getter; durations in milliseconds. */
    public static @Nullable Object get(@Nullable Object bean, String property) {
        String capital = Character.toUpperCase(property.charAt(0)) + property.substring(1);
        Object value = call(bean, "get" + capital);
        if (value == null) {
            value = call(bean, "is" + capital);
        }
        return value instanceof Duration ? (Object) ((Duration) value).toMillis() : value;
    }

    /** The result of a public method for these arguments. */
    public static @Nullable Object call(@Nullable Object bean, String method, Object... arguments) {
        return bean == null ? null : invoke(bean.getClass(), bean, method, arguments);
    }

    /** Calls the setter of a number or duration (milliseconds); false if there is none, or it refuses the value. */
    static boolean set(@Nullable Object bean, String property, long value) {
        Method setter = setter(bean, property);
        if (setter == null) {
            return false;
        }
        try {
            setter.invoke(bean, number(value, setter.getParameterTypes()[0]));
            return true;
        } catch (IllegalAccessException | InvocationTargetException | RuntimeException | LinkageError e) {
            return false;
        }
    }

    /** Whether there is a setter of a number or duration. */
    static boolean sets(@Nullable Object bean, String property) {
        return setter(bean, property) != null;
    }

    private static @Nullable Method setter(@Nullable Object bean, String property) {
        String setter = "set" + Character.toUpperCase(property.charAt(0)) + property.substring(1);
        for (Method method : bean == null ? new Method[0] : bean.getClass().getMethods()) {
            if (method.getName().equals(setter)
                    && method.getParameterCount() == 1
                    && number(0, method.getParameterTypes()[0]) != null
                    && open(method)) {
                return method;
            }
        }
        return null;
    }

    private static @Nullable Object number(long value, Class<?> type) {
        if (type == int.class) {
            return (int) Math.min(Integer.MAX_VALUE, value);
        }
        return type == long.class ? (Object) value : type == Duration.class ? Duration.ofMillis(value) : null;
    }

    /** The result of a public static method without parameters. */
    static @Nullable Object callStatic(@Nullable ClassLoader loader, String type, String method) {
        try {
            return invoke(Class.forName(type, true, loader), null, method);
        } catch (ClassNotFoundException | LinkageError e) {
            return null;
        }
    }

    private static @Nullable Object invoke(Class<?> type, @Nullable Object bean, String method, Object... arguments) {
        try {
            for (Method candidate : type.getMethods()) {
                if (candidate.getName().equals(method) && takes(candidate, arguments)) {
                    return open(candidate) ? candidate.invoke(bean, arguments) : null;
                }
            }
        } catch (IllegalAccessException | InvocationTargetException | RuntimeException | LinkageError e) {
            return null;
        }
        return null;
    }

    private static boolean takes(Method method, Object... arguments) {
        Class<?>[] types = method.getParameterTypes();
        if (types.length != arguments.length) {
            return false;
        }
        for (int i = 0; i < types.length; i++) {
            if (!types[i].isInstance(arguments[i])) {
                return false;
            }
        }
        return true;
    }

    /** Needed even for public methods of non-public classes; if a module forbids it, using the member fails. */
    private static boolean open(AccessibleObject member) {
        return member.trySetAccessible();
    }

    /** The value of a field without a getter, in the object's own class or one above. */
    public static @Nullable Object field(@Nullable Object owner, String name) {
        for (Class<?> type = owner == null ? null : owner.getClass(); type != null; type = type.getSuperclass()) {
            for (Field field : fields(type)) {
                if (field.getName().equals(name)) {
                    return value(field, owner);
                }
            }
        }
        return null;
    }

    /** None if a field's type is missing: a part of the server that was left out. */
    private static Field[] fields(Class<?> type) {
        try {
            return type.getDeclaredFields();
        } catch (LinkageError e) {
            return new Field[0];
        }
    }

    /** The value of a static field, or of an object's field declared in one class; only that class is searched. */
    static @Nullable Object field(Class<?> type, @Nullable Object owner, String name) {
        try {
            return value(type.getDeclaredField(name), owner);
        } catch (NoSuchFieldException | LinkageError e) {
            return null;
        }
    }

    /** An object of some type in a field of the owner's class: what a lambda or an inner class has captured. */
    static @Nullable Object held(@Nullable Object owner, String type) {
        if (owner != null) {
            for (Field field : fields(owner.getClass())) {
                Object value = Modifier.isStatic(field.getModifiers()) ? null : value(field, owner);
                if (is(value, type)) {
                    return value;
                }
            }
        }
        return null;
    }

    private static @Nullable Object value(Field field, @Nullable Object owner) {
        try {
            return open(field) ? field.get(owner) : null;
        } catch (IllegalAccessException | RuntimeException e) {
            return null;
        }
    }

    /** A public constant of a class that a loader can see. */
    static @Nullable Object constant(@Nullable ClassLoader loader, String type, String name) {
        try {
            return Class.forName(type, true, loader).getField(name).get(null);
        } catch (ReflectiveOperationException | LinkageError e) {
            return null;
        }
    }

    /** Whether an object's class, a superclass, or an interface of these has a name. */
    static boolean is(@Nullable Object object, String type) {
        return object != null && is(object.getClass(), type);
    }

    private static boolean is(@Nullable Class<?> type, String name) {
        if (type == null || type.getName().equals(name)) {
            return type != null;
        }
        for (Class<?> one : type.getInterfaces()) {
            if (is(one, name)) {
                return true;
            }
        }
        return is(type.getSuperclass(), name);
    }
}
