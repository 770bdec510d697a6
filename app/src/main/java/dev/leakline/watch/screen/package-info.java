/** The full-screen terminal of a watch: what is drawn is a pure function of an overview, a state and a size. */
package dev.leakline.watch.screen;
