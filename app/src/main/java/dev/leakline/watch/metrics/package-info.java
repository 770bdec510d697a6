/** The metrics of a watch, for Prometheus and those that read what it reads. */
package dev.leakline.watch.metrics;
