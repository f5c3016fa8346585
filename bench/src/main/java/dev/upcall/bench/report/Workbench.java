package dev.upcall.bench.report;

import dev.upcall.bench.harness.Lab;
import dev.upcall.specweb.FileSet;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Where studies are made. */
public final class Workbench {
  private static final double MAKE_SECONDS_OF_A_DIRECTORY = 0.1;
  private static final double OPEN_SECONDS_OF_A_DIRECTORY = 0.02;
  private static final double JVM_SECONDS = 1;

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
  public Workbench(Lab lab, Size size, Pace pace) {
    this.lab = lab;
    this.size = size;
    this.pace = pace;
  }

  /** Processes and scratch files. */
  public Lab lab() {
    return lab;
  }

  /** How much is measured. */
  public Size size() {
    return size;
  }

  /** Who is told how far it is. */
  public Pace pace() {
    return pace;
  }

  /** What making the files takes. */
  public static double volumeSeconds(Size size) {
    return size.load().directories() * MAKE_SECONDS_OF_A_DIRECTORY;
  }

  /** What it takes to copy the files, to start a process, and to have it read all of them. */
  public static double startSeconds(Size size) {
    return JVM_SECONDS + openSeconds(size);
  }

  /** What it takes a process to open another store and to read all of it. */
  public static double openSeconds(Size size) {
    return size.load().directories() * OPEN_SECONDS_OF_A_DIRECTORY;
  }

  /** The files of all studies, made when they are first asked for. */
  public FileSetVolume volume() throws IOException {
    FileSetVolume made = volume;
    if (made == null) {
      pace.step(volumeSeconds(size), "writing the files");
      FileSet set = new FileSet(size.load().directories());
      made = FileSetVolume.make(lab.scratch().resolve("set.upcall"), set);
      volume = made;
    }
    return made;
  }
}
