package dev.fettle.servers.war;

import io.undertow.servlet.api.DeploymentInfo;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;

/** An unpacked WAR as Undertow wants it described. */
public final class UndertowDeployment {
    private static final List<String> WELCOME = List.of("index.html", "index.htm", "index.jsp");

    private UndertowDeployment() {}

    /**
     * Describes a WAR. Its classes are looked at, and loaded where the description needs them.
     *
     * @param war the folder
     * @param context {@code /} or {@code /shop}
     * @param scratch for compiled JSPs and uploads
     * @param notes receives what is left out, a line each
     * @throws WarException if it is no web application that can be described, with the reason
     * @throws ReflectiveOperationException if a class is missing
     * @throws IOException if a file can't be read
     */
    public static DeploymentInfo of(Path war, String context, Path scratch, List<String> notes)
            throws IOException, WarException, ReflectiveOperationException {
        WarLoader loader = WarLoader.of(war, UndertowDeployment.class.getClassLoader());
        DeploymentInfo info = new DeploymentInfo()
                .setClassLoader(loader)
                .setContextPath(context)
                .setDeploymentName(context)
                .setMajorVersion(6)
                .setContainerMajorVersion(6)
                .setTempDir(scratch)
                .setResourceManager(new WarResources(war, loader))
                .setEagerFilterInit(true);
        Jsps.declare(info, TagLibraries.of(war, loader, notes));

        List<Descriptor> descriptors = new ArrayList<>();
        webXml(war).ifPresent(xml -> descriptors.add(new Descriptor(xml, info, loader)));
        boolean complete = descriptors.stream().anyMatch(Descriptor::complete);
        if (!complete) {
            for (Path library : loader.libraries()) {
                fragment(library).ifPresent(xml -> descriptors.add(new Descriptor(xml, info, loader)));
            }
        }
        Set<String> mapped = new LinkedHashSet<>();
        for (Descriptor descriptor : descriptors) {
            descriptor.declare();
            mapped.addAll(descriptor.mapped());
            descriptor.leftOut().forEach(e -> notes.add("<" + e + "> of web.xml is left out on Undertow"));
        }
        classes(war, loader, info, complete, mapped);
        for (Descriptor descriptor : descriptors) {
            descriptor.map();
        }
        if (info.getWelcomePages().isEmpty()) {
            info.addWelcomePages(WELCOME);
        }
        return info;
    }

    private static void classes(Path war, WarLoader loader, DeploymentInfo info, boolean complete, Set<String> mapped)
            throws IOException, WarException {
        Initializers initializers = new Initializers(loader);
        WarClasses classes = WarClasses.of(war, loader);
        if (!complete) {
            new Annotations(info, mapped).declare(classes);
        }
        initializers.declare(info, classes);
    }

    private static Optional<Xml> webXml(Path war) throws IOException, WarException {
        Path file = war.resolve("WEB-INF/web.xml");
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try (InputStream in = Files.newInputStream(file)) {
            return Optional.of(Xml.read(in, "WEB-INF/web.xml"));
        }
    }

    private static Optional<Xml> fragment(Path library) throws IOException, WarException {
        try (JarFile jar = new JarFile(library.toFile())) {
            ZipEntry entry = jar.getEntry("META-INF/web-fragment.xml");
            if (entry == null) {
                return Optional.empty();
            }
            try (InputStream in = jar.getInputStream(entry)) {
                return Optional.of(Xml.read(in, library.getFileName() + "!/META-INF/web-fragment.xml"));
            }
        }
    }
}
