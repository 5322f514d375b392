package dev.fettle.servers.war;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.apache.jasper.deploy.FunctionInfo;
import org.apache.jasper.deploy.TagAttributeInfo;
import org.apache.jasper.deploy.TagFileInfo;
import org.apache.jasper.deploy.TagInfo;
import org.apache.jasper.deploy.TagLibraryInfo;
import org.apache.jasper.deploy.TagLibraryValidatorInfo;
import org.apache.jasper.deploy.TagVariableInfo;

/** The tag libraries of a WAR, by the URI that JSPs name: from the {@code .tld} files below WEB-INF and in its libraries. */
final class TagLibraries {
    private final Map<String, TagLibraryInfo> byUri = new HashMap<>();
    private final List<String> leftOut = new ArrayList<>();

    private TagLibraries() {}

    /**
     * Reads them.
     *
     * @param notes receives a line if some are left out
     */
    static Map<String, TagLibraryInfo> of(Path war, WarLoader loader, List<String> notes) throws IOException {
        TagLibraries libraries = new TagLibraries();
        libraries.folder(war);
        for (Path library : loader.libraries()) {
            libraries.library(library);
        }
        if (!libraries.leftOut.isEmpty()) {
            notes.add(
                    "tag libraries that have a document type, as those of JSP 1.2 do, or can't be read are left out on"
                            + " Undertow: " + String.join(", ", libraries.leftOut));
        }
        return libraries.byUri;
    }

    private void folder(Path war) throws IOException {
        Path inf = war.resolve("WEB-INF");
        if (!Files.isDirectory(inf)) {
            return;
        }
        List<Path> files;
        try (Stream<Path> all = Files.walk(inf)) {
            files = all.filter(f -> isLibrary(f.toString())).sorted().toList();
        }
        for (Path file : files) {
            String path = "/" + war.relativize(file);
            try (InputStream in = Files.newInputStream(file)) {
                read(in, path).ifPresent(l -> {
                    l.setPath(path);
                    byUri.putIfAbsent(path, l); // JSPs may name the file
                });
            }
        }
    }

    private void library(Path jar) throws IOException {
        try (JarFile file = new JarFile(jar.toFile())) {
            for (JarEntry entry : file.stream().toList()) {
                if (entry.getName().startsWith("META-INF/") && isLibrary(entry.getName())) {
                    try (InputStream in = file.getInputStream(entry)) {
                        read(in, jar.getFileName() + "!/" + entry.getName()).ifPresent(l -> {
                            l.setLocation("/WEB-INF/lib/" + jar.getFileName());
                            l.setPath(entry.getName());
                        });
                    }
                }
            }
        }
    }

    private static boolean isLibrary(String name) {
        return name.toLowerCase(Locale.ROOT).endsWith(".tld");
    }

    private Optional<TagLibraryInfo> read(InputStream in, String name) throws IOException {
        try {
            TagLibraryInfo library = library(Xml.read(in, name));
            if (library.getUri() != null) {
                byUri.putIfAbsent(library.getUri(), library);
            }
            return Optional.of(library);
        } catch (WarException e) {
            // JSTL has one of JSP 1.2 next to each that is newer
            leftOut.add(name);
            return Optional.empty();
        }
    }

    private static TagLibraryInfo library(Xml tld) throws WarException {
        TagLibraryInfo library = new TagLibraryInfo();
        tld.text("uri").ifPresent(library::setUri);
        tld.text("short-name").ifPresent(library::setShortname);
        library.setTlibversion(tld.text("tlib-version").orElse("1.0"));
        String version = tld.element().getAttribute("version");
        library.setJspversion(version.isEmpty() ? "2.0" : version);
        Optional<Xml> validator = tld.one("validator");
        if (validator.isPresent()) {
            TagLibraryValidatorInfo info = new TagLibraryValidatorInfo();
            info.setValidatorClass(validator.get().need("validator-class"));
            for (Xml p : validator.get().all("init-param")) {
                info.addInitParam(p.need("param-name"), p.need("param-value"));
            }
            library.setValidator(info);
        }
        for (Xml tag : tld.all("tag")) {
            library.addTagInfo(tag(tag));
        }
        for (Xml file : tld.all("tag-file")) {
            TagFileInfo info = new TagFileInfo();
            info.setName(file.need("name"));
            info.setPath(file.need("path"));
            library.addTagFileInfo(info);
        }
        for (Xml function : tld.all("function")) {
            FunctionInfo info = new FunctionInfo();
            info.setName(function.need("name"));
            info.setFunctionClass(function.need("function-class"));
            info.setFunctionSignature(function.need("function-signature"));
            library.addFunctionInfo(info);
        }
        return library;
    }

    private static TagInfo tag(Xml tag) throws WarException {
        TagInfo info = new TagInfo();
        info.setTagName(tag.need("name"));
        info.setTagClassName(tag.need("tag-class"));
        tag.text("tei-class").ifPresent(info::setTagExtraInfo);
        info.setBodyContent(tag.text("body-content").orElse("JSP"));
        tag.text("dynamic-attributes").ifPresent(info::setDynamicAttributes);
        for (Xml attribute : tag.all("attribute")) {
            info.addTagAttributeInfo(attribute(attribute));
        }
        for (Xml variable : tag.all("variable")) {
            TagVariableInfo named = new TagVariableInfo();
            variable.text("name-given").ifPresent(named::setNameGiven);
            variable.text("name-from-attribute").ifPresent(named::setNameFromAttribute);
            variable.text("variable-class").ifPresent(named::setClassName);
            variable.text("declare").ifPresent(named::setDeclare);
            variable.text("scope").ifPresent(named::setScope);
            info.addTagVariableInfo(named);
        }
        return info;
    }

    private static TagAttributeInfo attribute(Xml attribute) throws WarException {
        TagAttributeInfo info = new TagAttributeInfo();
        info.setName(attribute.need("name"));
        attribute.text("type").ifPresent(info::setType);
        attribute.text("required").ifPresent(info::setRequired);
        attribute.text("rtexprvalue").ifPresent(info::setReqTime);
        attribute.text("fragment").ifPresent(info::setFragment);
        Optional<Xml> value = attribute.one("deferred-value");
        if (value.isPresent()) {
            info.setDeferredValue("true");
            value.get().text("type").ifPresent(info::setExpectedTypeName);
        }
        Optional<Xml> method = attribute.one("deferred-method");
        if (method.isPresent()) {
            info.setDeferredMethod("true");
            method.get().text("method-signature").ifPresent(info::setMethodSignature);
        }
        return info;
    }
}
