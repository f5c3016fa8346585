package dev.upcall.bench.securefile.study;

import dev.upcall.bench.harness.Fields;

/**
 * Words of the worker on one phase.
 *
 * @param fields all of them
 */
record Ran(Fields fields) {
  private static final double MILLION = 1e6;

  double objects() {
    return fields.number("units");
  }

  double seconds() {
    return fields.number("nanos") / 1e9;
  }

  /** Millions of bytes of objects in a second. */
  double megabytes() {
    return fields.decimal("bytes") / MILLION / seconds();
  }

  double perSecond() {
    return objects() / seconds();
  }

  double cpuMicros() {
    return fields.decimal("cpu-micros") / objects();
  }

  /** The part of the machine's processors that was busy with it. */
  double busy() {
    return fields.decimal("cpu-micros")
        / MILLION
        / seconds()
        / Runtime.getRuntime().availableProcessors();
  }

  /** Millions of bytes of objects for each second of a processor. */
  double megabytesOfCore() {
    return fields.decimal("bytes") / fields.decimal("cpu-micros");
  }

  /** In how many stretches of the volume an object lies that was loaded. */
  double extents() {
    return fields.decimal("extents") / objects();
  }

  /** The mean stretch, in KiB. */
  double extentKib() {
    return fields.decimal("stored-bytes") / 1024 / fields.decimal("extents");
  }

  double p99Millis() {
    return fields.decimal("p99") / 1e3;
  }

  double written() {
    return fields.decimal("device-written-bytes");
  }

  /** Millions of bytes that the device wrote in a second. */
  double writtenMegabytes() {
    return written() / MILLION / seconds();
  }

  /** The mean write of the device, in KiB. */
  double writeKib() {
    return written() / 1024 / fields.decimal("device-writes");
  }

  /** The mean read of the device, in KiB. */
  double readKib() {
    return fields.decimal("device-read-bytes") / 1024 / fields.decimal("device-reads");
  }
}
