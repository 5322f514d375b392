/** Keeps what runs found and writes it into the pages of docs/documents: no figure there is typed by hand. */
@NullMarked
package dev.fettle.bench.documents;

import org.jspecify.annotations.NullMarked;
