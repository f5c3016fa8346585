package dev.upcall.bench.largeobject.study;

import dev.upcall.UpcallConfig;
import dev.upcall.bench.edits.EditedStore;
import dev.upcall.bench.harness.Fields;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.job.DeviceChoice;
import dev.upcall.bench.report.Pace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Runs of the mix on objects of a store: for each size and way of placing a new volume, with an
 * object for each mean and policy; objects that fill a device have one each, one after the other.
 * It is opened anew before scans, so that they read the device.
 */
final class StoreRuns {
  private static final double BYTES_PER_SECOND = 300e6;

  /** Of an operation, some of which are reads. */
  private static final double SECONDS_IN_LOG = 0.0005;

  private static final double SECONDS_PLACED = 0.012;

  /** Making an object, and reading it twice. */
  private static final int WAYS_THROUGH = 3;

  private static final double MIB = 1 << 20;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final DeviceChoice AS_USUAL = new DeviceChoice(new Fields("store", Map.of()));

  /** So many operations of another object before the first one that counts, for the compiler. */
  private static final int WARMING_PART = 2;

  private static final int WARMING_BYTES = 1_000;

  /** Objects above that are not made side by side; smaller ones, which come first, have warmed. */
  private static final long LARGE_BYTES = 1L << 30;

  /** Starburst does this part of the operations of others. */
  static final int TAIL_PART = 50;

  private static final int LEAST_OPERATIONS = 8;

  private static final List<Structure> STRUCTURES =
      Stream.of(
              Structure.allEos().stream(),
              Structure.allEsm().stream(),
              Stream.of(Structure.STARBURST_TAIL))
          .flatMap(Function.identity())
          .toList();

  private final Lab lab;
  private final StudySize size;
  private final Pace pace;
  private final Map<Key, Map<StoredObject, StoreMark>> made = new LinkedHashMap<>();

  private record Key(long objectBytes, StoredObject.Placing placing) {}

  StoreRuns(Lab lab, StudySize size, Pace pace) {
    this.lab = lab;
    this.size = size;
    this.pace = pace;
  }

  /** What is compared: each mean with each policy that copies at all in objects of that size. */
  private static List<StoredObject> objects(long objectBytes) {
    List<StoredObject> all = new ArrayList<>();
    for (int mean : Mixes.MEANS) {
      STRUCTURES.forEach(structure -> all.add(new StoredObject(mean, structure)));
    }
    all.removeIf(object -> copiesTail(object) && objectBytes > LARGE_BYTES);
    return all;
  }

  /** Bytes of objects, ascending. */
  List<Long> sizes() {
    return size.storedBytes();
  }

  /** Bytes of those of which something is claimed. */
  long claimedBytes() {
    return size.claimedBytes();
  }

  /** Operations on each object but those of Starburst. */
  int operations() {
    return size.storedOperations();
  }

  /** Operations on an object: few where each edit copies half of it. */
  private static int operations(StudySize size, StoredObject object) {
    int all = size.storedOperations();
    return copiesTail(object) ? Math.max(LEAST_OPERATIONS, all / TAIL_PART) : all;
  }

  private static boolean copiesTail(StoredObject object) {
    return object.structure().equals(Structure.STARBURST_TAIL);
  }

  /** What all runs of a way of placing are thought to take. */
  static double seconds(StudySize size, StoredObject.Placing placing) {
    double seconds = 0;
    for (long bytes : size.storedBytes()) {
      for (StoredObject object : objects(bytes)) {
        seconds += seconds(size, object, new Key(bytes, placing));
        seconds += WAYS_THROUGH * bytes / BYTES_PER_SECOND;
      }
    }
    return seconds;
  }

  private static double seconds(StudySize size, StoredObject object, Key key) {
    boolean isPlaced = key.placing() == StoredObject.Placing.AT_ONCE;
    double copying = copiesTail(object) ? key.objectBytes() / (2 * BYTES_PER_SECOND) : 0;
    return operations(size, object) * (copying + (isPlaced ? SECONDS_PLACED : SECONDS_IN_LOG));
  }

  /** What one of the objects has shown. */
  static StoreMark mark(Map<StoredObject, StoreMark> marks, StoredObject object) {
    return Objects.requireNonNull(marks.get(object), object::label);
  }

  /**
   * What objects of a size have shown.
   *
   * @throws IOException when a file cannot be read, or the user stopped it
   */
  Map<StoredObject, StoreMark> of(long objectBytes, StoredObject.Placing placing)
      throws IOException {
    Key key = new Key(objectBytes, placing);
    Map<StoredObject, StoreMark> marks = made.get(key);
    if (marks == null) {
      marks = run(key);
      made.put(key, marks);
    }
    return marks;
  }

  private Map<StoredObject, StoreMark> run(Key key) throws IOException {
    Map<StoredObject, StoreMark> marks = new LinkedHashMap<>();
    for (List<StoredObject> together : volumes(key.objectBytes())) {
      Path folder = Lab.folder(lab.scratch().resolve("large-objects-" + made.size()));
      try {
        marks.putAll(run(key, together, folder.resolve("store.upcall")));
      } finally {
        Lab.remove(folder);
      }
    }
    return marks;
  }

  private static List<List<StoredObject>> volumes(long objectBytes) {
    return objectBytes > LARGE_BYTES
        ? objects(objectBytes).stream().map(List::of).toList()
        : List.of(objects(objectBytes));
  }

  private Map<StoredObject, StoreMark> run(Key key, List<StoredObject> objects, Path volume)
      throws IOException {
    try (EditedStore store = EditedStore.create(volume, capBytes(), AS_USUAL)) {
      for (StoredObject object : objects) {
        begin(key.objectBytes() / BYTES_PER_SECOND, "making " + object.label());
        object.make(store, key.objectBytes());
      }
      if (key.objectBytes() <= LARGE_BYTES) {
        StoredObject warming = new StoredObject(WARMING_BYTES, Structure.eos(1));
        warming.make(store, key.objectBytes());
        warming.run(store, size.storedOperations() / WARMING_PART, key.placing());
      }
    }
    List<Double> before = scans(key, objects, volume);
    List<StoreMark.Ran> ran = new ArrayList<>();
    try (EditedStore store = EditedStore.open(volume, capBytes(), AS_USUAL)) {
      for (StoredObject object : objects) {
        begin(seconds(size, object, key), object.label());
        ran.add(object.run(store, operations(size, object), key.placing()));
      }
    }
    List<Double> after = scans(key, objects, volume);
    Map<StoredObject, StoreMark> marks = new LinkedHashMap<>();
    for (StoredObject object : objects) {
      int i = marks.size();
      marks.put(object, new StoreMark(ran.get(i), before.get(i), after.get(i)));
    }
    return marks;
  }

  /** MiB a second of each object, from the device. */
  private List<Double> scans(Key key, List<StoredObject> objects, Path volume) throws IOException {
    List<Double> scans = new ArrayList<>();
    try (EditedStore store = EditedStore.open(volume, capBytes(), AS_USUAL)) {
      for (StoredObject object : objects) {
        begin(key.objectBytes() / BYTES_PER_SECOND, "reading " + object.label());
        long bytes = store.store().stat("/" + object.name()).sizeBytes();
        long begun = System.nanoTime();
        store.scan(object.name());
        scans.add(bytes / MIB / ((System.nanoTime() - begun) / NANOS_PER_SECOND));
      }
    }
    return scans;
  }

  private void begin(double seconds, String what) throws IOException {
    if (lab.isStopped()) {
      throw new IOException("stopped by the user");
    }
    pace.step(seconds, what);
  }

  private long capBytes() {
    return lab.settings().either(UpcallConfig.MIN_CAP_BYTES, 0);
  }
}
