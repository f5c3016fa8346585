package dev.upcall.bench.proxy.study;

import dev.upcall.bench.proxy.layout.InfiniteResult;
import dev.upcall.bench.proxy.layout.LayoutKind;
import dev.upcall.bench.proxy.study.DeviceRuns.Found;
import dev.upcall.bench.report.Grid;
import dev.upcall.bench.report.Judgement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;

/** A sentence for each claim: whether it holds on the real device, and why. */
final class DeviceClaims {
  private final Map<LayoutKind, InfiniteResult> models;
  private final Map<LayoutKind, Found> found;
  private final String unlimited;
  private final List<List<String>> rows = new ArrayList<>();

  DeviceClaims(
      Map<LayoutKind, InfiniteResult> models, Map<LayoutKind, Found> found, String unlimited) {
    this.models = models;
    this.found = found;
    this.unlimited = unlimited;
  }

  Grid grid() {
    same("PX-HIT", "the replay finds the same requests in the cache: %,d hits".formatted(hits()));
    same("PX-F1", "sizes are of the requests, which are the same");
    same("PX-F2", "the order of servers is of the requests, which are the same");
    same("PX-ZIPF", "popularity is of the requests, which are the same");
    same(
        "PX-CROSS", "the same packing places the same objects, and the kernel's pages are of 4 KB");
    ratio("PX-F4", LayoutKind.CERN, 0.8, 1.25);
    band(
        "PX-F4R",
        "reads of Squid",
        (double) model(LayoutKind.SQUID).counts().all().reads()
            / model(LayoutKind.SQUID).counts().requests(),
        real(LayoutKind.SQUID).reads() / real(LayoutKind.SQUID).requests(),
        0.25,
        0.42,
        "a hit costs %.2f reads, %.2f in the model; the kernel's memory has inodes and names besides"
            .formatted(
                real(LayoutKind.SQUID).reads() / hits(),
                (double) model(LayoutKind.SQUID).counts().all().reads() / hits()));
    ratio("PX-F5L", LayoutKind.SQUID_L, 0.40, 0.60);
    ratio("PX-F5M", LayoutKind.SQUID_M, 0.32, 0.48);
    ratio("PX-F5ML", LayoutKind.SQUID_ML, 0.20, 0.35);
    alignment();
    order();
    sizes();
    same("PX-DIR", "hashes of server names choose the same directories");
    same("PX-F6", "the mapped file has the same objects at the same offsets");
    saved();
    for (String id : List.of("PX-F7A", "PX-F7F", "PX-F7B")) {
      say(id, "not run", "the memory of a bounded file would be less than the process needs.");
    }
    return new Grid("Which claims hold on the device", List.of("", "on the device", "why"), rows);
  }

  private void say(String id, String verdict, String why) {
    rows.add(List.of(id, verdict, why));
  }

  private void same(String id, String why) {
    say(id, "as in the model", "It does not depend on the device: " + why + ".");
  }

  private boolean has(LayoutKind kind) {
    return found.containsKey(kind);
  }

  private InfiniteResult model(LayoutKind kind) {
    return Objects.requireNonNull(models.get(kind));
  }

  private Found real(LayoutKind kind) {
    return Objects.requireNonNull(found.get(kind));
  }

  private long hits() {
    return real(LayoutKind.SQUID).second().number("hits");
  }

  private static double requests(InfiniteResult model) {
    return model.counts().requests();
  }

  private double modelled(LayoutKind kind) {
    return requests(model(kind)) / requests(model(LayoutKind.SQUID));
  }

  private double toSquid(LayoutKind kind, ToDoubleFunction<Found> figure) {
    return figure.applyAsDouble(real(kind)) / figure.applyAsDouble(real(LayoutKind.SQUID));
  }

  private void band(
      String id, String what, double model, double real, double low, double high, String why) {
    boolean isSo = real >= low && real <= high;
    say(
        id,
        unlimited.isEmpty() ? (isSo ? "holds" : "does not hold") : "cannot be told",
        "%s %s, in the model of that size %s, wanted %s to %s: %s."
            .formatted(
                what,
                Judgement.show(real),
                Judgement.show(model),
                Judgement.show(low),
                Judgement.show(high),
                why));
  }

  /** The requests of a layout over Squid's, and the two directions in which they come about. */
  private void ratio(String id, LayoutKind kind, double low, double high) {
    if (!has(kind)) {
      say(id, "not run", "this size has two layouts only.");
      return;
    }
    band(
        id,
        kind.label() + " over Squid",
        modelled(kind),
        toSquid(kind, Found::requests),
        low,
        high,
        "it has %s of Squid's reads and %s of its writes, %s of them reads"
            .formatted(
                Judgement.show(toSquid(kind, Found::reads)),
                Judgement.show(toSquid(kind, Found::writes)),
                Judgement.show(real(kind).reads() / real(kind).requests())));
  }

  private void alignment() {
    if (!has(LayoutKind.SQUID_MLA)) {
      say("PX-F5A", "not run", "this size has two layouts only.");
      return;
    }
    band(
        "PX-F5A",
        "SquidMLA less SquidML, of Squid's",
        modelled(LayoutKind.SQUID_MLA) - modelled(LayoutKind.SQUID_ML),
        toSquid(LayoutKind.SQUID_MLA, Found::requests)
            - toSquid(LayoutKind.SQUID_ML, Found::requests),
        -0.03,
        0.03,
        "a hit that crosses a page faults twice, and each fault reads one page: of Squid's reads"
            + " SquidML has %s and SquidMLA %s"
                .formatted(
                    Judgement.show(toSquid(LayoutKind.SQUID_ML, Found::reads)),
                    Judgement.show(toSquid(LayoutKind.SQUID_MLA, Found::reads))));
  }

  private void order() {
    List<LayoutKind> kinds =
        List.of(LayoutKind.SQUID, LayoutKind.SQUID_L, LayoutKind.SQUID_M, LayoutKind.SQUID_ML);
    List<LayoutKind> run = kinds.stream().filter(this::has).toList();
    boolean isSo = run.size() == kinds.size();
    List<String> times = new ArrayList<>();
    for (int i = 0; i < run.size(); i++) {
      times.add(
          "%s %s s".formatted(run.get(i).label(), Judgement.show(real(run.get(i)).seconds())));
      isSo &= i == 0 || real(run.get(i)).seconds() < real(run.get(i - 1)).seconds();
    }
    say(
        "PX-F5B",
        run.size() < kinds.size() ? "not run" : isSo ? "holds" : "does not hold",
        String.join(", ", times)
            + ": the device has no arm, so that time follows requests and the syncs, which are as many"
            + " for each layout.");
  }

  private void sizes() {
    if (!has(LayoutKind.SQUID_L)) {
      say("PX-SIZE", "not run", "this size has two layouts only.");
      return;
    }
    double squid = real(LayoutKind.SQUID).meanKb();
    double byServer = real(LayoutKind.SQUID_L).meanKb();
    say(
        "PX-SIZE",
        byServer > squid ? "half of it holds" : "does not hold",
        ("A request has %s KB with Squid, %s with SquidL, %s with SquidML: the device counts blocks and"
                + " cannot tell the mapped file from others.")
            .formatted(
                Judgement.show(squid),
                Judgement.show(byServer),
                Judgement.show(real(LayoutKind.SQUID_ML).meanKb())));
  }

  private void saved() {
    band(
        "PX-OVER",
        "SquidML saves",
        1 - modelled(LayoutKind.SQUID_ML),
        1 - toSquid(LayoutKind.SQUID_ML, Found::requests),
        0.5,
        1,
        "what is left are files of large objects and faults of the mapped file; of bytes it reads %s"
                .formatted(
                    Judgement.show(toSquid(LayoutKind.SQUID_ML, one -> one.megabytes("read"))))
            + " of Squid's");
  }
}
