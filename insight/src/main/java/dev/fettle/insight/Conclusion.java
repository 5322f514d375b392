package dev.fettle.insight;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;

/** What an experiment found. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = TuneConclusion.class, name = "tune"),
    @JsonSubTypes.Type(value = SweepConclusion.class, name = "sweep"),
    @JsonSubTypes.Type(value = CompareConclusion.class, name = "compare"),
    @JsonSubTypes.Type(value = GateConclusion.class, name = "gate"),
    @JsonSubTypes.Type(value = CapacityConclusion.class, name = "capacity"),
    @JsonSubTypes.Type(value = DiagnoseConclusion.class, name = "diagnose")
})
public sealed interface Conclusion
        permits TuneConclusion,
                SweepConclusion,
                CompareConclusion,
                GateConclusion,
                CapacityConclusion,
                DiagnoseConclusion {

    /** One or two plain sentences: the answer. */
    String headline();

    /** Things the reader must know to judge it: voided trials, limits of the method. */
    List<String> notes();
}
