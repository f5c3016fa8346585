package dev.upcall.bench.proxy.study;

import dev.upcall.bench.proxy.finite.FiniteConfig;
import dev.upcall.bench.proxy.finite.FiniteResult;
import dev.upcall.bench.proxy.finite.FiniteRun;
import dev.upcall.bench.proxy.finite.PolicyKind;
import dev.upcall.bench.proxy.layout.InfiniteResult;
import dev.upcall.bench.proxy.layout.InfiniteRun;
import dev.upcall.bench.proxy.layout.LayoutKind;
import dev.upcall.bench.proxy.layout.ModelConfig;
import dev.upcall.bench.proxy.trace.RequestTrace;
import dev.upcall.bench.proxy.trace.TraceConfig;
import dev.upcall.bench.proxy.trace.TraceDraw;
import dev.upcall.bench.report.Pace;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;

/** Makes each trace and each run once, whoever asks for it, and several side by side. */
final class Runs {
  private final StudySize size;
  private final Pace pace;
  private final Map<TraceConfig, RequestTrace> traces = new ConcurrentHashMap<>();
  private final Map<Infinite, InfiniteResult> infinite = new ConcurrentHashMap<>();
  private final Map<Finite, FiniteResult> finite = new ConcurrentHashMap<>();

  /** A layout on a trace and a machine, both of the paper's size. */
  record Infinite(LayoutKind kind, TraceConfig trace, ModelConfig model) {}

  /** A policy on a trace and a file, both of the paper's size. */
  record Finite(PolicyKind policy, TraceConfig trace, FiniteConfig file) {}

  Runs(StudySize size, Pace pace) {
    this.size = size;
    this.pace = pace;
  }

  StudySize size() {
    return size;
  }

  /** The trace of a configuration of the paper's size. */
  RequestTrace trace(TraceConfig paper) {
    return traces.computeIfAbsent(paper, config -> TraceDraw.draw(size.of(config)));
  }

  /** A trace is not wanted any more. */
  void forget(TraceConfig paper) {
    traces.remove(paper);
  }

  InfiniteResult one(Infinite run) {
    return infinite.computeIfAbsent(
        run,
        any -> {
          begin(run.kind.label());
          return InfiniteRun.of(run.kind, trace(run.trace), size.of(run.model));
        });
  }

  FiniteResult one(Finite run) {
    return finite.computeIfAbsent(
        run,
        any -> {
          begin(run.policy.label());
          return FiniteRun.of(trace(run.trace), run.policy, size.of(run.file));
        });
  }

  private synchronized void begin(String what) {
    pace.step(size.runSeconds(), what);
  }

  /** Makes runs side by side. */
  void aheadInfinite(Collection<Infinite> runs) {
    runs.parallelStream().forEach(this::one);
  }

  /** Makes runs side by side. */
  void aheadFinite(Collection<Finite> runs) {
    runs.parallelStream().forEach(this::one);
  }

  /** A figure for each seed, or for the first only. */
  List<Double> each(boolean isOfAll, ToDoubleFunction<TraceConfig> figure) {
    return size.seeds().stream()
        .limit(isOfAll ? Long.MAX_VALUE : 1)
        .map(seed -> figure.applyAsDouble(TraceConfig.paper(seed)))
        .toList();
  }
}
