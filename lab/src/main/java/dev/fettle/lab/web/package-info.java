/** Pages of Fettle's own, on a loopback address, for those who have a token: who gets in, what is answered, and how it goes on. */
@NullMarked
package dev.fettle.lab.web;

import org.jspecify.annotations.NullMarked;
