package dev.upcall.bench.largeobject.study;

import dev.upcall.bench.largeobject.Cost;
import dev.upcall.bench.largeobject.LargeObject;
import dev.upcall.bench.largeobject.PaperMachine;
import dev.upcall.bench.report.Pace;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Objects that are made by appends of a size and then read in order by reads of the same size. */
final class Creations {
  /** Sizes of appends and reads, in KB. */
  static final List<Integer> CHUNKS_KIB =
      List.of(1, 2, 3, 4, 5, 8, 10, 12, 16, 20, 32, 50, 64, 100, 128, 200, 256, 300, 512);

  /** What one was seen to take. */
  private static final double SECONDS = 0.03;

  private final Pace pace;
  private final Map<Key, Made> made = new LinkedHashMap<>();

  private record Key(Structure structure, int chunkKib, long objectBytes) {}

  /**
   * One of them.
   *
   * @param createSeconds of the disk to make it
   * @param scanSeconds to read it
   * @param indexPages besides the root
   */
  record Made(double createSeconds, double scanSeconds, int indexPages) {}

  Creations(Pace pace) {
    this.pace = pace;
  }

  /** What all of them are thought to take. */
  static double seconds() {
    return structures().size() * (CHUNKS_KIB.size() + 2) * SECONDS;
  }

  /** What is compared: EOS makes all objects alike, whatever its threshold. */
  static List<Structure> structures() {
    List<Structure> all = new ArrayList<>(Structure.allEsm());
    all.add(Structure.eos(4));
    all.add(Structure.STARBURST);
    return all;
  }

  /** The object of 10 MB, made and read in pieces of so many KB. */
  Made of(Structure structure, int chunkKib) {
    return of(structure, chunkKib, Mixes.OBJECT_BYTES);
  }

  /** The same of an object of another size. */
  Made of(Structure structure, int chunkKib, long objectBytes) {
    Key key = new Key(structure, chunkKib, objectBytes);
    Made one = made.get(key);
    if (one == null) {
      pace.step(SECONDS, "%s, appends of %d KB".formatted(structure.label(), chunkKib));
      one = make(key);
      made.put(key, one);
    }
    return one;
  }

  private static Made make(Key key) {
    int chunk = key.chunkKib << 10;
    PaperMachine machine = new PaperMachine();
    LargeObject object = Mix.made(key.structure, machine, key.objectBytes, chunk);
    Cost created = machine.cost();
    object.scan(chunk);
    return new Made(
        created.millis() / 1e3, machine.cost().since(created).millis() / 1e3, object.indexPages());
  }
}
