package dev.fettle.watch.jvm.answer;

import java.net.MalformedURLException;
import java.rmi.server.RMIClassLoader;
import java.rmi.server.RMIClassLoaderSpi;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which class is made of what a JVM answers by RMI, and which may be. In place of a hash table comes a list, and
 * what is said of an open attribute is without the sets of its legal values; every other class is the JDK's of that name. Nothing is loaded from where an answer says.
 */
public final class AnswerClasses extends RMIClassLoaderSpi {
    /** The system property by which RMI is told of this class, before it is first used. */
    public static final String PROPERTY = "java.rmi.server.RMIClassLoaderSpi";

    private static final String OPEN = "javax.management.openmbean.";

    /** By the name of the class in whose place they stand, whose simple name they share: serialisation asks for that. */
    private static final Map<String, Class<?>> STANDING_IN = Stream.of(
                    Map.entry("java.util.", HashMap.class),
                    Map.entry("java.util.", LinkedHashMap.class),
                    Map.entry("java.util.", HashSet.class),
                    Map.entry(OPEN, OpenMBeanAttributeInfoSupport.class),
                    Map.entry(OPEN, OpenMBeanParameterInfoSupport.class),
                    Map.entry(OPEN, OpenMBeanOperationInfoSupport.class),
                    Map.entry(OPEN, OpenMBeanConstructorInfoSupport.class))
            .collect(Collectors.toMap(e -> e.getKey() + e.getValue().getSimpleName(), Map.Entry::getValue));

    /**
     * A pattern of {@link java.io.ObjectInputFilter.Config} for all that Fettle's own calls are answered with: values, names, open data,
     * what a bean says of itself, notifications, exceptions. None of them asks its parts for hash codes, or for what they are as text, while
     * it is read; none connects to anything, listens or starts anything.
     */
    public static final String FILTER = Stream.concat(
                    STANDING_IN.values().stream().map(Class::getName),
                    Stream.of(
                            "java.lang.*",
                            "java.lang.reflect.InvocationTargetException",
                            "java.lang.reflect.UndeclaredThrowableException",
                            "java.io.*",
                            "java.util.ArrayList",
                            "java.util.Arrays$ArrayList",
                            "java.util.Collections$EmptyList",
                            "java.util.Collections$UnmodifiableCollection",
                            "java.util.Collections$UnmodifiableList",
                            "java.util.Collections$UnmodifiableRandomAccessList",
                            "java.util.TreeMap",
                            "java.util.Vector",
                            "java.util.EventObject",
                            "java.util.NoSuchElementException",
                            "java.util.ConcurrentModificationException",
                            "!javax.management.BadAttributeValueExpException",
                            "javax.management.*",
                            "!javax.management.openmbean.OpenMBean*",
                            "javax.management.openmbean.*",
                            "javax.management.modelmbean.*",
                            "javax.management.remote.*",
                            "javax.management.remote.rmi.*",
                            "java.rmi.*",
                            "java.rmi.dgc.*",
                            "java.rmi.server.ObjID",
                            "java.rmi.server.UID",
                            "java.rmi.server.RemoteObject",
                            "java.rmi.server.RemoteStub",
                            "!*"))
            .collect(Collectors.joining(";"));

    /** For RMI only. */
    public AnswerClasses() {}

    @Override
    public Class<?> loadClass(@Nullable String codebase, String name, @Nullable ClassLoader defaultLoader)
            throws MalformedURLException, ClassNotFoundException {
        @Nullable Class<?> instead = STANDING_IN.get(name);
        return instead != null
                ? instead
                : RMIClassLoader.getDefaultProviderInstance().loadClass(null, name, defaultLoader);
    }

    @Override
    public Class<?> loadProxyClass(@Nullable String codebase, String[] interfaces, @Nullable ClassLoader defaultLoader)
            throws ClassNotFoundException {
        throw new ClassNotFoundException("no proxy is made of an answer");
    }

    @Override
    public ClassLoader getClassLoader(@Nullable String codebase) throws MalformedURLException {
        return RMIClassLoader.getDefaultProviderInstance().getClassLoader(null);
    }

    @Override
    public @Nullable String getClassAnnotation(Class<?> of) {
        return null;
    }
}
