package dev.upcall.bench.ecommerce.study;

import dev.upcall.bench.ecommerce.Mix;
import dev.upcall.bench.ecommerce.Workload;
import dev.upcall.bench.ecommerce.machine.Load;
import java.util.List;
import java.util.stream.Stream;

/** A mix of a benchmark: the one that reads most, or the one that writes most. */
record Case(Workload.Kind kind, boolean writeRich) {
  /** All that are compared. */
  static final List<Case> ALL =
      Stream.of(Workload.Kind.values()).flatMap(kind -> of(kind).stream()).toList();

  /** Both of a benchmark. */
  static List<Case> of(Workload.Kind kind) {
    return List.of(new Case(kind, false), new Case(kind, true));
  }

  Mix mix() {
    return Load.mix(kind, writeRich);
  }

  String label() {
    return "%s, %s".formatted(kind.label(), mix().name());
  }
}
