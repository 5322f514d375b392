package dev.fettle.cli.option;

import dev.fettle.cli.terminal.CliException;
import dev.fettle.config.render.ConfigPlace;
import dev.fettle.lab.remote.Destination;
import dev.fettle.model.audit.Release;
import dev.fettle.model.plan.Conditions;
import dev.fettle.model.plan.Slo;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.text.Units;
import java.lang.reflect.Field;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.TypeConversionException;

/**
 * How the texts of options become values, in every command. A converter throws {@link IllegalArgumentException} with what would be
 * right; {@link #wrong} adds which option it was, and its value.
 */
public final class Converters {
    private Converters() {}

    /** Makes a command and its subcommands convert like this, and check each {@link Range} before they run. */
    public static void register(CommandLine line) {
        line.registerConverter(Duration.class, Converters::seconds)
                .registerConverter(OptionalFigure.class, rate -> OptionalFigure.of(Units.rate(rate)))
                .registerConverter(Double.class, Converters::number)
                .registerConverter(URI.class, Parse::url)
                .registerConverter(Slo.class, Slo::parse)
                .registerConverter(Release.class, Release::of)
                .registerConverter(Conditions.class, Conditions::parse)
                .registerConverter(StagesText.class, StagesText::parse)
                .registerConverter(Destination.class, Destination::new)
                .registerConverter(ConfigPlace.class, Converters::place)
                .setExecutionStrategy(Converters::checked);
    }

    /** {@code 10s}, {@code 2m}; a number without a unit is in seconds, as wrk, hey and k6 users write it. */
    private static Duration seconds(String text) {
        String t = text.strip();
        return Units.duration(t.matches("[0-9]{1,9}(\\.[0-9]{1,9})?") ? t + "s" : text);
    }

    /** {@code 50ms}, {@code 10s}, {@code 2m}: a unit is needed. */
    static final class Time implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String text) {
            return Units.duration(text);
        }
    }

    /** {@code 3%}, {@code 0.03}. */
    public static final class Share implements ITypeConverter<Double> {
        @Override
        public Double convert(String text) {
            return Units.share(text);
        }
    }

    private static double number(String text) {
        double number = text.matches("[0-9]{1,15}([.][0-9]{1,9})?") ? Double.parseDouble(text) : -1;
        if (number < 0) {
            throw new IllegalArgumentException("a number from 0 on is wanted");
        }
        return number;
    }

    private static ConfigPlace place(String name) {
        return Arrays.stream(ConfigPlace.values())
                .filter(p -> p.id().equals(name))
                .findFirst()
                .orElseThrow(() -> Parse.usage("--for is one of "
                        + Arrays.stream(ConfigPlace.values())
                                .map(ConfigPlace::id)
                                .collect(Collectors.joining(", "))
                        + ", not '" + name + "'"));
    }

    private static int checked(ParseResult parsed) {
        Integer help = CommandLine.executeHelpRequest(parsed);
        if (help != null) {
            return help;
        }
        for (CommandLine line : parsed.asCommandLineList()) {
            line.getParseResult().matchedOptions().forEach(o -> check(line, o));
        }
        return new CommandLine.RunLast().execute(parsed);
    }

    private static void check(CommandLine line, OptionSpec option) {
        Range range = option.userObject() instanceof Field f ? f.getAnnotation(Range.class) : null;
        if (range == null) {
            return;
        }
        Object value = option.getValue();
        double figure = value instanceof Duration d ? d.toNanos() : ((Number) value).doubleValue();
        boolean inside = (range.least().isEmpty() || figure >= bound(value, range.least()))
                && (range.most().isEmpty() || figure <= bound(value, range.most()));
        if (!inside) {
            String right =
                    range.right().isEmpty() ? range.least() + " to " + range.most() + " are possible" : range.right();
            String text = option.originalStringValues().getLast();
            throw new ParameterException(line, right, new IllegalArgumentException(right), option, text);
        }
    }

    private static double bound(Object value, String text) {
        return value instanceof Duration
                ? Units.duration(text).toNanos()
                : text.endsWith("%") ? Units.share(text) : Double.parseDouble(text);
    }

    /** One line on a value that a converter or a {@link Range} refused: the option, the value, and what would be right. */
    public static Optional<String> wrong(ParameterException e) {
        return switch (e.getCause()) {
            case CliException refused -> Optional.of(String.valueOf(refused.getMessage()));
            case IllegalArgumentException refused
            when e.getArgSpec() instanceof OptionSpec option ->
                Optional.of(option.names()[0] + " " + quoted(e.getValue()) + ": " + refused.getMessage());
            case IllegalArgumentException refused
            when e.getArgSpec() != null ->
                Optional.of(e.getArgSpec().paramLabel() + " " + quoted(e.getValue()) + ": " + refused.getMessage());
            case TypeConversionException _
            when e.getArgSpec() instanceof OptionSpec option && option.auxiliaryTypes()[0].isEnum() ->
                Optional.of(option.names()[0] + " " + quoted(e.getValue()) + ": one of "
                        + Arrays.stream(option.auxiliaryTypes()[0].getEnumConstants())
                                .map(String::valueOf)
                                .collect(Collectors.joining(", "))
                                .toLowerCase(Locale.ROOT)
                        + " is wanted");
            case null, default -> Optional.empty();
        };
    }

    private static String quoted(String value) {
        return value.isEmpty() || value.contains(" ") ? "'" + value + "'" : value;
    }
}
