package dev.fettle.insight.gate;

import java.util.Optional;
import java.util.function.Function;

/**
 * One rule of the {@link ValidityGate}.
 *
 * @param id stable name, as in {@code Verdict.Reason.rule}
 * @param about when it voids a trial, as docs/methodology.md lists it
 * @param passing whether the cause may be temporary, so that a re-run makes sense
 * @param check the message if the rule is broken: figure, bound, meaning
 */
public record GateRule(String id, String about, boolean passing, Function<GateInput, Optional<String>> check) {}
