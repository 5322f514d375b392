package dev.fettle.model.key;

/** How values are written whose Java type does not say it. */
public enum Form {
    /** As the type says. */
    BY_TYPE,
    /** Arrivals per second: 2500/s, 2.5k/s, 90/m. */
    RATE,
    /** A rate, or 0. */
    RATE_OR_ZERO,
    /** Bytes, in powers of 1024: 1892, 64k. */
    SIZE,
    /** 0.1% or 0.001. */
    SHARE,
    /** An absolute path of a URL, without blanks. */
    PAGE,
    /** A regular expression. */
    REGEX,
    /** Text with placeholders of a scenario. */
    TEMPLATE,
    /** A page with placeholders of a scenario. */
    TEMPLATE_PAGE,
    /** A template, or a list of them. */
    TEMPLATES(true),
    /** Headers by name. */
    HEADERS(true),
    /** Headers by name, whose values are templates. */
    TEMPLATE_HEADERS(true),
    /** A status, a list of them, or 2xx. */
    STATUSES(true),
    /** The steps of a flow. */
    STEPS(true),
    /** Fixed variables of a scenario. */
    VARIABLES(true),
    /** A command's arguments, and groups of them. */
    ARGUMENTS(true),
    /** JVM flags. */
    FLAGS(true),
    /** A JDK: a feature release, or a folder. */
    JDK,
    /** A JDK, or several to compare. */
    JDKS(true),
    /** The id of a server. */
    SERVER,
    /** The id of a server with a distribution. */
    DISTRIBUTION,
    /** The name of a sample app. */
    APP,
    /** The options of a sample app. */
    OPTIONS(true),
    /** http://host:port. */
    BASE,
    /** One value for each knob. */
    SETTING(true),
    /** What a tune may try for each knob. */
    RANGES(true),
    /** Dimensions and their values. */
    GRID(true),
    /** A knob's value, of which type is said elsewhere. */
    VALUE,
    /** Bounds of a service level. */
    SLO,
    /** A file or folder that is there. */
    FILE,
    /** A folder that is there. */
    FOLDER,
    /** What is tested, of one of several kinds. */
    TARGET(true);

    private final boolean whole;

    Form() {
        this(false);
    }

    Form(boolean whole) {
        this.whole = whole;
    }

    /** Whether it is that of a whole list or mapping; the others are of one value in it. */
    public boolean isWhole() {
        return whole;
    }
}
