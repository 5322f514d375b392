package dev.fettle.model.read;

import static dev.fettle.model.key.Rule.Kind.NOT_BOTH;

import dev.fettle.model.key.Default;
import dev.fettle.model.key.Form;
import dev.fettle.model.key.Key;
import dev.fettle.model.key.Names;
import dev.fettle.model.key.Range;
import dev.fettle.model.key.Rule;
import dev.fettle.model.key.Section;
import dev.fettle.model.load.Load;
import dev.fettle.model.plan.Plan.Spike;
import dev.fettle.model.target.Target.Backend;
import java.util.List;
import java.util.Optional;
import org.yaml.snakeyaml.nodes.Node;

/** The keys of {@code compare}. */
@Section(value = "compare", doc = "Variants in randomised blocks.")
@Rule(kind = NOT_BOTH, keys = "variants layers", says = "a comparison has either 'variants' or 'layers', not both")
@Rule(
        kind = NOT_BOTH,
        keys = "layers baseline",
        says = "each layer is compared with the one before it: leave 'baseline' out")
record CompareKeys(
        YamlFields at,

        @Key("Blocks under each condition.") @Range(from = "2", to = "1000") @Default("" + CompareKeys.PAIRS)
        int pairs,

        @Key(value = "Conditions under which all variants are compared.", form = Form.GRID)
        Optional<Node> grid,

        @Key(
                "More than load.rate for a while: compared are the good answers in it, and the time until the SLO is met again.")
        Optional<Spike> spike,

        @Key(
                "The first variant's name: the others are compared with it alone, so that fewer contrasts are judged together. Without it,"
                        + " each with each.")
        Optional<String> baseline,

        @Key("What is compared, by name; may be left out where the target names several JDKs.")
        @Names(
                value = dev.fettle.model.plan.Variant.NAMES,
                says = dev.fettle.model.plan.Variant.NO_NAME,
                least = 2,
                tooFew = "compare needs at least two variants")
        List<Named<Variant>> variants,

        @Key(
                "In place of variants: layers of one application, by name and in order, each with more of it than the one before.")
        @Names(
                value = dev.fettle.model.plan.Variant.NAMES,
                says = "a layer's name is up to 40 letters, digits and ' ._+=-'",
                least = 2,
                tooFew = "compare.layers needs at least two layers")
        List<Named<Layer>> layers) {
    static final String SETTING = "set";
    /** Blocks, if nothing says how many. */
    static final int PAIRS = 5;

    private static final String SERVER = "Another server.";
    private static final String APP = "Another sample app.";
    private static final String OPTIONS = "Options of the sample app.";
    private static final String JAVA = "Which JDK runs the target; without it, the one that runs Fettle.";
    private static final String JVM = "JVM flags in place of the target's.";
    private static final String SET = "Knob values over the plan's hold.";

    /** What differs; it is read when the target is known. */
    @Section(
            value = "variant",
            what = "variant %s",
            doc = "What differs from the plan's target and hold: keys of the target, or another target as a whole.",
            with = {TargetKeys.War.class, TargetKeys.Standalone.class, TargetKeys.Boot.class, CommandKeys.class})
    record Variant(
            YamlFields at,
            @Key(value = SERVER, form = Form.SERVER) Optional<Node> server,
            @Key(value = APP, form = Form.APP) Optional<Node> app,
            @Key(value = OPTIONS, form = Form.OPTIONS) Optional<Node> options,
            @Key(value = JAVA, form = Form.JDK) Optional<Node> java,
            @Key(value = JVM, form = Form.FLAGS) Optional<Node> jvm,
            @Key(value = SET, form = Form.SETTING) Optional<Node> set) {}

    /** What of the application is in a layer. */
    @Section(value = "layer", what = "layer %s", doc = "What of the application is in it; the rest is as in the plan.")
    record Layer(
            YamlFields at,
            @Key(value = SERVER, form = Form.SERVER) Optional<Node> server,
            @Key(value = APP, form = Form.APP) Optional<Node> app,
            @Key(value = OPTIONS, form = Form.OPTIONS) Optional<Node> options,

            @Key("The login app's backend; with a delay of 0ms a mock that answers at once.")
            Optional<Backend> backend,

            @Key(value = JAVA, form = Form.JDK) Optional<Node> java,
            @Key(value = JVM, form = Form.FLAGS) Optional<Node> jvm,
            @Key(value = SET, form = Form.SETTING) Optional<Node> set,

            @Key(value = "The page that is asked for.", form = Form.PAGE)
            Optional<String> path,

            @Key("The right answer of that page.") Optional<Load.Expect> expect) {}

    /** The keys of {@code sweep}. */
    @Section(value = "sweep", doc = "A full grid.")
    record Sweep(
            @Key(value = "The dimensions.", form = Form.GRID, required = "{threads.max: [8, 16, 32]}")
            Optional<Node> grid,

            @Key("Fresh-JVM trials of each cell.") @Range(from = "1", to = "1000") @Default("3")
            int repeats) {}
}
