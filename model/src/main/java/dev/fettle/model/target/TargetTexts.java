package dev.fettle.model.target;

import java.net.URI;
import java.util.List;
import java.util.Map;

/**
 * Changes the user's texts in a target; see {@link Target#changed}.
 *
 * @param <X> thrown if a change fails
 */
public interface TargetTexts<X extends Exception> {
    /** Which Java runs it, and the JVM's flags. */
    Target.Jvm jvm(Target.Jvm jvm) throws X;

    /** The arguments of an app. */
    List<String> arguments(List<String> arguments) throws X;

    /** The arguments of a command, in their groups. */
    List<List<String>> groups(List<List<String>> groups) throws X;

    /** Variables by name. */
    Map<String, String> environment(Map<String, String> variables) throws X;

    /** Contents by path. */
    Map<String, String> files(Map<String, String> files) throws X;

    /** Contents by path, with placeholders. */
    Map<String, String> templates(Map<String, String> templates) throws X;

    /** The server's URL. */
    URI url(URI url) throws X;
}
