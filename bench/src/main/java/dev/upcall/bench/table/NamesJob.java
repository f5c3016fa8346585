package dev.upcall.bench.table;

import dev.upcall.FileContent;
import dev.upcall.FsmUpcall;
import dev.upcall.Listing;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.bench.harness.Fields;
import dev.upcall.bench.job.DeviceChoice;
import dev.upcall.bench.job.Job;
import dev.upcall.bench.job.Tally;
import dev.upcall.bench.job.ThreadedLoop;
import dev.upcall.request.FileRequest;
import dev.upcall.store.Durability;
import dev.upcall.table.Codecs;
import dev.upcall.table.HashTable;
import dev.upcall.table.SortedTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Names in directories of a thousand, looked up, made and listed: those of files, which the store
 * keeps in a tree in the order of the names; the same names as keys of a sorted table for each
 * directory; and as keys of a hashed one, which is where the report keeps them. A table holds a
 * number for a name, as a directory does; a file has an inode besides. One thread. Options: {@code
 * volume} (made), {@code names}, {@code side}, {@code step} ({@link Step}), {@code cap}.
 */
public final class NamesJob implements Job.Timed {
  private static final int NAMES_OF_A_DIRECTORY = 1000;
  private static final int COLD_LOOKS = 1000;

  /** One measured step. */
  enum Step {
    /** Look-ups at random, in a store that has been read. */
    WARM,
    /** The same in a store that has just been opened: a thousand of them, or all. */
    COLD,
    /** New names in directories at random; not waited for until durable. */
    CREATE,
    /** All names of a directory at random; units are names. */
    LIST;

    /** For titles. */
    String words() {
      return switch (this) {
        case WARM -> "looked up, warm";
        case COLD -> "looked up in a store just opened";
        case CREATE -> "made";
        case LIST -> "listed";
      };
    }
  }

  /** Where names are kept. */
  enum Side {
    /** Those of files. */
    FILES,
    /** Keys of sorted tables. */
    SORTED,
    /** Keys of hashed tables. */
    HASHED
  }

  private final Path volume;
  private final UpcallConfig config;
  private final int names;
  private final Side side;
  private final Step step;
  private final SplittableRandom random = new SplittableRandom(3);
  private final ThreadedLoop thread = ThreadedLoop.platform(1);
  private FsmUpcall store;
  private List<Directory> directories;
  private int created;

  /** Makes the names. */
  public NamesJob(Fields options) {
    volume = Path.of(options.text("volume"));
    names = (int) options.number("names");
    side = Side.valueOf(options.text("side"));
    step = Step.valueOf(options.text("step"));
    config = new DeviceChoice(options).in(UpcallConfig.DEFAULT.withCapBytes(options.number("cap")));
    store = Upcall.create(volume, config).fsm();
    directories = open();
    for (int name = 0; name < names; name++) {
      directories.get(name % directories.size()).create(name(name));
    }
    store.flush();
  }

  private List<Directory> open() {
    List<Directory> opened = new ArrayList<>();
    for (int i = 0; i < Math.max(1, names / NAMES_OF_A_DIRECTORY); i++) {
      String path = "/d" + i;
      opened.add(
          switch (side) {
            case FILES -> new FileNames(store, path);
            case SORTED -> new SortedNames(store, path);
            case HASHED -> new HashedNames(store, path);
          });
    }
    return opened;
  }

  private static String name(int number) {
    return "name-of-a-file-" + number;
  }

  @Override
  public Tally run(long nanos) throws IOException, InterruptedException {
    if (step != Step.COLD) {
      return thread.run(nanos, _ -> step());
    }
    store.close();
    store = Upcall.open(volume, config).fsm();
    directories = open();
    return thread.runSteps(Math.min(COLD_LOOKS, names), _ -> step());
  }

  private ThreadedLoop.Step step() {
    return switch (step) {
      case WARM, COLD -> this::lookUp;
      case CREATE -> this::create;
      case LIST -> new ListStep();
    };
  }

  private void lookUp() {
    int name = random.nextInt(names);
    if (!directories.get(name % directories.size()).has(name(name))) {
      throw new IllegalStateException(name(name) + " is not there");
    }
  }

  private void create() {
    directories.get(random.nextInt(directories.size())).create("new-" + created++);
  }

  private final class ListStep implements ThreadedLoop.Step {
    private int listed;

    @Override
    public void run() {
      listed = directories.get(random.nextInt(directories.size())).list();
    }

    @Override
    public void tell(Tally tally, long nanos, long endedNanos) {
      tally.add(listed, nanos, endedNanos);
    }
  }

  /** Names that lie together. */
  private interface Directory {
    void create(String name);

    boolean has(String name);

    int list();
  }

  private static final class FileNames implements Directory {
    private final Upcall store;
    private final String path;

    private FileNames(Upcall store, String path) {
      this.store = store;
      this.path = path;
      store.createDirectories(path);
    }

    @Override
    public void create(String name) {
      FileContent none = new FileContent.Bytes(new byte[0]);
      store.batch(
          List.of(new FileRequest.Put(StorePath.of(path + "/" + name), none, PutOptions.DEFAULT)),
          Durability.ASYNC);
    }

    @Override
    public boolean has(String name) {
      return store.exists(path + "/" + name);
    }

    @Override
    public int list() {
      int listed = 0;
      Listing page = store.list(path, Listing.MAX_ENTRIES);
      while (page.nextAfter().isPresent()) {
        listed += page.entries().size();
        page = store.list(path, page.nextAfter().get(), Listing.MAX_ENTRIES);
      }
      return listed + page.entries().size();
    }
  }

  private static final class SortedNames implements Directory {
    private final SortedTable<String, Long> table;

    private SortedNames(Upcall store, String path) {
      table = store.sortedTable(path, Codecs.STRING, Codecs.LONG).with(Durability.ASYNC);
    }

    @Override
    public void create(String name) {
      table.put(name, 1L);
    }

    @Override
    public boolean has(String name) {
      return table.containsKey(name);
    }

    @Override
    public int list() {
      return (int) table.scan().count();
    }
  }

  private static final class HashedNames implements Directory {
    private final HashTable<String, Long> table;

    private HashedNames(Upcall store, String path) {
      table = store.hashTable(path, Codecs.STRING, Codecs.LONG).with(Durability.ASYNC);
    }

    @Override
    public void create(String name) {
      table.put(name, 1L);
    }

    @Override
    public boolean has(String name) {
      return table.containsKey(name);
    }

    @Override
    public int list() {
      return (int) table.scan().count();
    }
  }

  @Override
  public void close() {
    thread.close();
    store.close();
  }
}
