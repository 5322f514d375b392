package dev.fettle.report.html;

import java.util.List;

/**
 * A page in its parts, before it is written: of a result that isn't finished, only those that change are sent again.
 *
 * @param title in the window's frame
 * @param foot what its last line begins with
 * @param header the markup of its top
 * @param main the markup of each block
 * @param data of its plots, as JSON in a line
 */
public record HtmlPage(String title, String foot, String header, List<String> main, String data) {
    public HtmlPage {
        main = List.copyOf(main);
    }
}
