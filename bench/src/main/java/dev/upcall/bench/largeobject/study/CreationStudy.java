package dev.upcall.bench.largeobject.study;

import dev.upcall.bench.report.Chart;
import dev.upcall.bench.report.Grid;
import dev.upcall.bench.report.Judgement;
import dev.upcall.bench.report.Section;
import dev.upcall.specweb.document.Plot;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Creation and sequential scan (figures 5 and 6). */
final class CreationStudy {
  static final String TITLE = "1. Creation and scan";

  private CreationStudy() {}

  static Section of(Creations creations) {
    return Section.of(
        TITLE,
        "An object of 10 MB is made by appends of one size and then read from begin to end by reads"
            + " of the same size. EOS and Starburst do not know how large it will be: segments"
            + " double. EOS's threshold plays no part.",
        new CreationClaims(creations).all(),
        List.of(
            chart(creations, "create", "Creation", Creations.Made::createSeconds),
            chart(creations, "scan", "Scan", Creations.Made::scanSeconds)),
        List.of(grid(creations)));
  }

  private static Chart chart(
      Creations creations, String id, String title, ToDoubleFunction<Creations.Made> seconds) {
    List<Plot.Series> lines = new ArrayList<>();
    for (Structure structure : Creations.structures()) {
      lines.add(
          new Plot.Series(
              name(structure),
              Creations.CHUNKS_KIB.stream()
                  .map(
                      chunk ->
                          new Plot.Point(
                              chunk, seconds.applyAsDouble(creations.of(structure, chunk))))
                  .toList()));
    }
    return new Chart(
        id, title, Plot.Scale.log("KB of an append or read"), Plot.Scale.log("seconds"), lines);
  }

  private static String name(Structure structure) {
    return structure.manager() == Structure.Manager.EOS ? "EOS" : structure.label();
  }

  private static Grid grid(Creations creations) {
    return Grid.of(
        "Seconds to make and to read 10 MB",
        Creations.CHUNKS_KIB,
        Grid.columns(
            Grid.column("KB", chunk -> Integer.toString(chunk)),
            Creations.structures().stream()
                .map(one -> Grid.column(name(one), chunk -> seconds(creations.of(one, chunk))))));
  }

  private static String seconds(Creations.Made made) {
    return "%s / %s"
        .formatted(Judgement.show(made.createSeconds()), Judgement.show(made.scanSeconds()));
  }
}
