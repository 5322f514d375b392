package dev.fettle.junit;

import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.extension.BeforeTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/** Runs the plan of a {@link FettleTest}, after the test's own preparations, and hands over the result. */
final class FettleExtension implements BeforeTestExecutionCallback, ParameterResolver {
    private static final Namespace OWN = Namespace.create(FettleExtension.class);

    @Override
    public void beforeTestExecution(ExtensionContext context) {
        FettleTest asked = asked(context).orElseThrow();
        PlanRun run = Fettle.plan(file(asked.plan(), context.getRequiredTestClass()))
                .command(asked.command())
                .within(Duration.ofMinutes(asked.withinMinutes()));
        for (String option : asked.options()) {
            run = run.option(option);
        }
        PlanResult result = run.run();
        context.getStore(OWN).put(PlanResult.class, result);
        context.publishReportEntry("fettle", result.headline());
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == PlanResult.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        PlanResult result = context.getStore(OWN).get(PlanResult.class, PlanResult.class);
        if (result == null) {
            throw new ParameterResolutionException("a PlanResult is known to a @FettleTest method only");
        }
        return result;
    }

    private static Optional<FettleTest> asked(ExtensionContext context) {
        return AnnotationSupport.findAnnotation(context.getRequiredTestMethod(), FettleTest.class);
    }

    private static Path file(String plan, Class<?> test) {
        Path file = Path.of(plan);
        if (!Files.exists(file)) {
            URL resource = test.getResource(plan);
            if (resource != null && resource.getProtocol().equals("file")) {
                try {
                    return Path.of(resource.toURI());
                } catch (URISyntaxException e) {
                    return file;
                }
            }
        }
        return file;
    }
}
