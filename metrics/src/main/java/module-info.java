/** The meters of a store, for programs that have Micrometer. */
// Micrometer and Prometheus name their modules in manifests. What a module of this project counts
// is named by its records, which are for the modules of this project.
@SuppressWarnings({"module", "requires-transitive-automatic"})
module dev.upcall.metrics {
  requires static transitive org.jspecify;
  requires transitive dev.upcall.fileman;
  requires transitive micrometer.core;
  requires static io.prometheus.metrics.model;
  requires static micrometer.registry.prometheus;

  exports dev.upcall.metrics;
}
