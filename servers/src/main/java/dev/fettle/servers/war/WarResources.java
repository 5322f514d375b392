package dev.fettle.servers.war;

import io.undertow.server.handlers.resource.ClassPathResourceManager;
import io.undertow.server.handlers.resource.PathResourceManager;
import io.undertow.server.handlers.resource.Resource;
import io.undertow.server.handlers.resource.ResourceChangeListener;
import io.undertow.server.handlers.resource.ResourceManager;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The files of a WAR, and behind them those that its libraries bring in {@code META-INF/resources}. */
final class WarResources implements ResourceManager {
    private final ResourceManager own;
    private final ResourceManager libraries;

    WarResources(Path war, ClassLoader loader) {
        this.own = new PathResourceManager(war);
        this.libraries = new ClassPathResourceManager(loader, "META-INF/resources");
    }

    @Override
    public @Nullable Resource getResource(String path) throws IOException {
        Resource resource = own.getResource(path);
        return resource == null ? libraries.getResource(path) : resource;
    }

    @Override
    public boolean isResourceChangeListenerSupported() {
        return false;
    }

    @Override
    public void registerResourceChangeListener(ResourceChangeListener listener) {
        throw new UnsupportedOperationException("a WAR does not change in a trial");
    }

    @Override
    public void removeResourceChangeListener(ResourceChangeListener listener) {
        throw new UnsupportedOperationException("a WAR does not change in a trial");
    }

    @Override
    public void close() throws IOException {
        own.close();
        libraries.close();
    }
}
