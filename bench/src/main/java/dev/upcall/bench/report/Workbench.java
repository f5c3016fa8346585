package dev.upcall.bench.report;

import dev.upcall.bench.harness.Lab;
import dev.upcall.specweb.FileSet;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Where studies are made. */
final class Workbench {
  private final Lab lab;
  private final Size size;
  private final Pace pace;
  private @Nullable FileSetVolume volume;

  /**
   * With nothing on it.
   *
   * @param lab processes and scratch files
   * @param size how much is measured
   * @param pace who is told how far it is
   */
  Workbench(Lab lab, Size size, Pace pace) {
    this.lab = lab;
    this.size = size;
    this.pace = pace;
  }

  /** Processes and scratch files. */
  Lab lab() {
    return lab;
  }

  /** How much is measured. */
  Size size() {
    return size;
  }

  /** Who is told how far it is. */
  Pace pace() {
    return pace;
  }

  /** The files of all studies, made when they are first asked for. */
  FileSetVolume volume() throws IOException {
    FileSetVolume made = volume;
    if (made == null) {
      lab.say("writing the files");
      FileSet set = new FileSet(size.load().directories());
      made = FileSetVolume.make(lab.scratch().resolve("set.upcall"), set);
      volume = made;
    }
    return made;
  }
}
