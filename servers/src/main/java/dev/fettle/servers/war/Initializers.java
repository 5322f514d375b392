package dev.fettle.servers.war;

import io.undertow.servlet.api.DeploymentInfo;
import io.undertow.servlet.api.ServletContainerInitializerInfo;
import io.undertow.servlet.util.ImmediateInstanceFactory;
import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.annotation.HandlesTypes;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;

/** What a WAR's libraries do at its start, with the classes that they ask for: so Spring and others begin. */
final class Initializers {
    private final List<ServletContainerInitializer> found = new ArrayList<>();

    /** Finds them as services. */
    Initializers(ClassLoader loader) {
        ServiceLoader.load(ServletContainerInitializer.class, loader).forEach(found::add);
    }

    void declare(DeploymentInfo info, WarClasses classes) {
        for (ServletContainerInitializer initializer : found) {
            Set<Class<?>> types = new LinkedHashSet<>();
            handles(initializer).forEach(t -> types.addAll(classes.handled(t)));
            info.addServletContainerInitializer(new ServletContainerInitializerInfo(
                    initializer.getClass(), new ImmediateInstanceFactory<>(initializer), types));
        }
    }

    private static List<Class<?>> handles(ServletContainerInitializer initializer) {
        HandlesTypes says = initializer.getClass().getAnnotation(HandlesTypes.class);
        try {
            return says == null ? List.of() : List.of(says.value());
        } catch (TypeNotPresentException | ArrayStoreException e) {
            return List.of(); // a type that the WAR has not got has no subtypes in it either
        }
    }
}
