package dev.fettle.watch.jvm.answer;

import java.io.Serial;
import javax.management.MBeanParameterInfo;

/** Read from what one of {@link javax.management.openmbean} has written, without its bounds and legal values, of which that makes sets. */
final class OpenMBeanParameterInfoSupport extends MBeanParameterInfo {
    @Serial
    private static final long serialVersionUID = -7235016873758443122L;

    private OpenMBeanParameterInfoSupport() {
        super("", "", "");
    }
}
