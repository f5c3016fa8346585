package dev.upcall;

import dev.upcall.request.Expect;
import dev.upcall.request.FileRequest;
import dev.upcall.request.KeyRange;
import dev.upcall.request.TableRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Random requests: a few names, so that they meet, and conditions that hold now and then. */
final class ModelRequests {
  /** A day. */
  static final long DAY_NANOS = 86_400_000_000_000L;

  private static final List<String> NAMES = List.of("a", "b", "c.txt", "\u00e9", "\ud83d\ude00");
  private static final int[] SIZES = {0, 10, 64, 500, 4096, 9000, 66_000, 130_000};

  private static final long[] FAR = {
    Long.MIN_VALUE, -2, Long.MAX_VALUE / 2 + 1, Long.MAX_VALUE - 9000, Long.MAX_VALUE - 1
  };
  private static final int LARGE_BYTES = 200_000;

  private final SplittableRandom random;
  private final Known store;

  /** What requests may be made from. */
  interface Known {
    /** The store's time. */
    long now();

    /** What the store calls the present state of what a path leads to, or null. */
    @Nullable FileVersion present(StorePath path, LinkPolicy links);

    /** How many bytes the file has to which a path leads; 0 for anything else. */
    int sizeBytes(StorePath path);

    /** Ids of directories that were opened, by now perhaps moved or gone. */
    List<Long> opened();

    /** Opens the directory to which a path leads, if it does. */
    void open(StorePath path);

    /** The paths of all tables. */
    List<StorePath> tables();

    /** The value under a key of a table, or null. */
    byte @Nullable [] value(StorePath table, byte[] key);

    /** All versions that were ever seen. */
    List<FileVersion> seen();
  }

  ModelRequests(SplittableRandom random, Known store) {
    this.random = random;
    this.store = store;
  }

  /** One request, or now and then a batch of some. */
  List<FileRequest> requests() {
    List<FileRequest> requests = new ArrayList<>();
    for (int i = random.nextInt(4) == 0 ? 2 + random.nextInt(4) : 1; i > 0; i--) {
      requests.add(request());
    }
    return requests;
  }

  private FileRequest request() {
    return random.nextInt(3) == 0 ? ofTable() : ofFiles();
  }

  private FileRequest ofTable() {
    List<StorePath> tables = store.tables();
    if (tables.isEmpty() || random.nextInt(8) == 0) {
      MetadataChange metadata =
          random.nextInt(4) == 0
              ? MetadataChange.NONE.withExpiry(new Expiry.After(DAY_NANOS))
              : MetadataChange.NONE;
      return new TableRequest.CreateTable(path(), parents(), metadata);
    }
    StorePath table = random.nextInt(20) == 0 ? path() : tables.get(random.nextInt(tables.size()));
    byte[] key = key();
    return switch (random.nextInt(8)) {
      case 0 -> new TableRequest.RemoveRange(table, range(), 1 + random.nextInt(12));
      case 1, 2 -> new TableRequest.RemoveEntry(table, key, expect(table, key));
      case 3 -> largeValue(table, key);
      default -> new TableRequest.PutEntry(table, key, value(), expect(table, key));
    };
  }

  /** From the largest that stands in the tree on. */
  private FileRequest largeValue(StorePath table, byte[] key) {
    int size = TableRequest.MAX_VALUE_BYTES + random.nextInt(3) * random.nextInt(10_000);
    return new FileRequest.Put(table.entry(key), new FileContent.Bytes(bytes(size)), ofEntry());
  }

  /** Options that a put of an entry may have. */
  PutOptions ofEntry() {
    return PutOptions.DEFAULT.withExistence(
        Existence.values()[random.nextInt(3) * random.nextInt(2)]);
  }

  /** Few, so that they meet, of all lengths. */
  byte[] key() {
    byte[] key =
        new byte[random.nextInt(10) == 0 ? TableRequest.MAX_KEY_BYTES : 1 + random.nextInt(3)];
    for (int i = 0; i < key.length; i++) {
      key[i] = (byte) (i == 0 ? random.nextInt(4) * 85 : random.nextInt(2) * 255);
    }
    return key;
  }

  private byte[] value() {
    int size = random.nextInt(10) == 0 ? TableRequest.MAX_VALUE_BYTES : random.nextInt(60);
    return bytes(size);
  }

  /** Of keys that there may be. */
  KeyRange range() {
    return switch (random.nextInt(5)) {
      case 0 -> KeyRange.ALL;
      case 1 -> KeyRange.from(key());
      case 2 -> KeyRange.below(key());
      case 3 -> KeyRange.prefix(Arrays.copyOf(key(), random.nextInt(2)));
      default -> new KeyRange(key(), key());
    };
  }

  private Expect expect(StorePath table, byte[] key) {
    byte[] value = store.value(table, key);
    return switch (random.nextInt(8)) {
      case 0 -> Expect.ABSENT;
      case 1 -> Expect.PRESENT;
      case 2 ->
          Expect.value(
              value == null || value.length > TableRequest.MAX_VALUE_BYTES ? bytes(3) : value);
      default -> Expect.ANY;
    };
  }

  private FileRequest ofFiles() {
    return switch (random.nextInt(20)) {
      case 0, 1, 2, 3 -> {
        FileContent content = new FileContent.Bytes(content());
        StorePath path = path();
        yield new FileRequest.Put(path, content, options(path));
      }
      case 4, 5 -> new FileRequest.CreateDirectory(path(), parents(), MetadataChange.NONE);
      case 6 -> new FileRequest.SymbolicLink(path(), target(), MetadataChange.NONE);
      case 7 -> deletion(path());
      case 8 -> random.nextInt(3) == 0 ? deletionOfATree(path()) : deletion(path());
      case 9, 10 -> rename(path(), path());
      case 11, 12 -> cloneOf(path(), path());
      case 13, 14, 15 -> splice(path());
      case 16, 17, 18 -> copyRange(path(), path());
      default ->
          random.nextBoolean()
              ? new FileRequest.SetProperty("p" + random.nextInt(3), bytes(random.nextInt(50)))
              : metadata(path(), random.nextBoolean() ? LinkPolicy.FOLLOW : LinkPolicy.NO_FOLLOW);
    };
  }

  private FileRequest deletion(StorePath path) {
    return new FileRequest.Delete(path, condition(path, LinkPolicy.NO_FOLLOW));
  }

  private FileRequest deletionOfATree(StorePath path) {
    return new FileRequest.DeleteTree(path, condition(path, LinkPolicy.NO_FOLLOW));
  }

  private FileRequest rename(StorePath from, StorePath to) {
    return random.nextInt(3) == 0
        ? new FileRequest.Rename(from, to, condition(to, LinkPolicy.NO_FOLLOW))
        : new FileRequest.Rename(from, to, replacing(random.nextBoolean()));
  }

  private FileRequest cloneOf(StorePath from, StorePath to) {
    return random.nextInt(3) == 0
        ? new FileRequest.Clone(from, to, condition(to, LinkPolicy.NO_FOLLOW))
        : new FileRequest.Clone(from, to, replacing(random.nextInt(3) > 0));
  }

  /** Mostly within what is there; now and then up to or past its end. */
  private FileRequest splice(StorePath path) {
    int size = store.sizeBytes(path);
    int offset = random.nextInt(20) == 0 ? random.nextInt(-1, size + 2) : random.nextInt(size + 1);
    int removed =
        switch (random.nextInt(4)) {
          case 0, 1 -> 0;
          case 2 -> random.nextInt(size + 1);
          default -> random.nextInt(Math.max(1, size - offset + 1));
        };
    byte[] bytes = random.nextInt(3) == 0 ? new byte[0] : bytes(random.nextInt(9000));
    return new FileRequest.Splice(
        path, mayBeFar(offset), mayBeFar(removed), bytes, condition(path, LinkPolicy.NO_FOLLOW));
  }

  /** Now and then what no file can have, also where a sum of two is a small number. */
  private long mayBeFar(long number) {
    return random.nextInt(30) == 0 ? FAR[random.nextInt(FAR.length)] : number;
  }

  /**
   * Mostly ranges that are there; now and then into the same file, or past an end. What is large is
   * copied over, so that no file grows for ever.
   */
  private FileRequest copyRange(StorePath from, StorePath other) {
    StorePath to = random.nextInt(4) == 0 ? from : other;
    int size = store.sizeBytes(from);
    int target = store.sizeBytes(to);
    int first = random.nextInt(size + 1) / (random.nextInt(3) == 0 ? size + 1 : 1);
    long bytes =
        switch (random.nextInt(8)) {
          case 0 -> random.nextInt(-1, size + 2);
          case 1, 2 -> FileRequest.Range.TO_END;
          default -> random.nextInt(size - first + 1);
        };
    boolean isLarge = size + target > LARGE_BYTES;
    int offset =
        random.nextInt(3) == 0 && !isLarge
            ? target
            : random.nextInt(target + 1) / (isLarge ? 2 : 1) / 4096 * 4096 + first % 2;
    return new FileRequest.CopyRange(
        new FileRequest.Range(from, mayBeFar(first), mayBeFar(bytes)),
        to,
        mayBeFar(offset),
        random.nextBoolean() && !isLarge
            ? FileRequest.Placing.INSERT
            : FileRequest.Placing.OVERWRITE,
        condition(to, LinkPolicy.NO_FOLLOW));
  }

  private static Existence replacing(boolean replace) {
    return replace ? Existence.ANY : Existence.MUST_NOT_EXIST;
  }

  private FileRequest metadata(StorePath path, LinkPolicy links) {
    MetadataChange change = mayExpire().withMode(random.nextInt(0777));
    return new FileRequest.SetMetadata(path, links, change, condition(path, links));
  }

  PutOptions options(StorePath path) {
    LinkPolicy links = random.nextInt(4) > 0 ? LinkPolicy.FOLLOW : LinkPolicy.NO_FOLLOW;
    FileCondition condition = condition(path, links);
    return new PutOptions(condition, parents(), links, mayExpire());
  }

  private Parents parents() {
    return random.nextBoolean() ? Parents.MAKE : Parents.MUST_EXIST;
  }

  private MetadataChange mayExpire() {
    long nanos = (1 + random.nextInt(4)) * DAY_NANOS;
    Expiry expiry =
        switch (random.nextInt(12)) {
          case 0 -> new Expiry.At(store.now() + nanos);
          case 1, 2, 3 -> new Expiry.After(nanos);
          case 4 -> Expiry.NEVER;
          case 5 -> new Expiry.At(random.nextInt(1000));
          default -> null;
        };
    return expiry == null ? MetadataChange.NONE : MetadataChange.NONE.withExpiry(expiry);
  }

  /** Mostly none; of versions mostly the present one, else one that was seen at some time. */
  private FileCondition condition(StorePath path, LinkPolicy links) {
    return switch (random.nextInt(10)) {
      case 0 -> FileCondition.PRESENT;
      case 1 -> FileCondition.ABSENT;
      case 2, 3 -> {
        FileVersion present = store.present(path, links);
        List<FileVersion> versions = new ArrayList<>();
        if (present != null && random.nextInt(4) > 0) {
          versions.add(present);
        }
        while (!store.seen().isEmpty() && random.nextInt(3) == 0) {
          versions.add(store.seen().get(random.nextInt(store.seen().size())));
        }
        yield random.nextInt(3) == 0
            ? FileCondition.noneOf(versions)
            : FileCondition.anyOf(versions);
      }
      case 4 -> FileCondition.NONE.ofDirectory();
      default -> FileCondition.NONE;
    };
  }

  /**
   * A path that may lead to something; seldom the root, and now and then from a directory on that
   * was opened before.
   */
  StorePath path() {
    int dice = random.nextInt(6);
    if (dice == 0) {
      store.open(rooted());
    }
    List<Long> opened = store.opened();
    return dice > 1 || opened.isEmpty()
        ? rooted()
        : relative(opened.get(random.nextInt(opened.size())));
  }

  private StorePath rooted() {
    StringBuilder path = new StringBuilder("/");
    for (int depth = 1 + random.nextInt(3); depth > 0; depth--) {
      path.append(name()).append(depth > 1 ? "/" : "");
    }
    return StorePath.of(random.nextInt(60) == 0 ? "/" : path.toString());
  }

  private StorePath relative(long directory) {
    StringBuilder path = new StringBuilder();
    for (int depth = random.nextInt(8) == 0 ? 0 : 1 + random.nextInt(2); depth > 0; depth--) {
      path.append(nameOrDots()).append(depth > 1 ? "/" : "");
    }
    return UpcallException.value(StorePath.parse(directory, path));
  }

  private String nameOrDots() {
    int dice = random.nextInt(12);
    return dice == 0 ? ".." : dice == 1 ? "." : name();
  }

  private String target() {
    StringBuilder target = new StringBuilder(random.nextBoolean() ? "/" : "");
    for (int depth = 1 + random.nextInt(3); depth > 0; depth--) {
      int dice = random.nextInt(6);
      target.append(dice == 0 ? ".." : dice == 1 ? "." : name()).append(depth > 1 ? "/" : "");
    }
    return target.toString();
  }

  private String name() {
    return NAMES.get(random.nextInt(NAMES.size()));
  }

  /** Content of one of a few sizes, each of which is kept in a way of its own. */
  byte[] content() {
    return bytes(SIZES[random.nextInt(SIZES.length)]);
  }

  byte[] bytes(int size) {
    byte[] bytes = new byte[size];
    random.nextBytes(bytes);
    return bytes;
  }
}
