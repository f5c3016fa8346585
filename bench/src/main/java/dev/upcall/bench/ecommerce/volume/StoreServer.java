package dev.upcall.bench.ecommerce.volume;

import dev.upcall.bench.ecommerce.Workload;
import dev.upcall.bench.ecommerce.machine.Clientele;
import dev.upcall.bench.ecommerce.machine.Front;
import dev.upcall.bench.ecommerce.machine.Reader;
import dev.upcall.bench.ecommerce.machine.RunResult;
import dev.upcall.bench.ecommerce.machine.Server;
import dev.upcall.bench.ecommerce.machine.ServerConfig;
import dev.upcall.bench.ecommerce.machine.Times;
import dev.upcall.fsm.Dispatcher;
import java.util.List;

/**
 * A database whose tables are files of a store, and whose memory is the store's: it keeps what has
 * changed until that is old, as the page cache of the model does, and its log. Every page that is
 * read is looked at. Dispatcher's thread only.
 */
final class StoreServer implements Server {
  /** Pages that have changed and are not written may be a quarter of what the store may hold. */
  private static final int CHANGED_PART = 4;

  private static final int MOST_AHEAD_PAGES = 16;

  /** Pages that are old enough are looked for so often in the time that makes them old. */
  private static final int LOOKS = 6;

  private final Dispatcher dispatcher;
  private final Workload workload;
  private final ServerConfig config;
  private final Clientele clientele;
  private final Front front;
  private final PageReader reader;
  private final WriteBack writeBack;
  private final RedoLog log;
  private final Trouble trouble;

  /**
   * Whom it serves, and how.
   *
   * @param workload whose tables it has
   * @param config the server of the model
   * @param tempo what takes time
   * @param memoryBytes of the store
   * @param seed of all chance
   */
  record Setup(Workload workload, ServerConfig config, Tempo tempo, long memoryBytes, long seed) {}

  /**
   * What takes time.
   *
   * @param times of clients and processors
   * @param ageNanos after which changed pages are written
   */
  record Tempo(Times times, long ageNanos) {}

  /** Serves nobody yet. */
  StoreServer(Dispatcher dispatcher, TableFiles files, Setup setup, Trouble trouble) {
    this.dispatcher = dispatcher;
    this.trouble = trouble;
    this.workload = setup.workload;
    this.config = setup.config;
    this.clientele = new Clientele(workload, setup.tempo.times, setup.seed);
    this.front = Front.of(dispatcher, setup.tempo.times, config.inside());
    Versions versions = new Versions(files.endPage());
    List<FileWriter> writers =
        files.all().stream().map(file -> new FileWriter(file, versions, trouble)).toList();
    this.reader = new PageReader(files, versions, trouble);
    this.writeBack =
        new WriteBack(
            dispatcher,
            versions,
            writers.subList(0, writers.size() - 1),
            new WriteBack.Habits(
                setup.tempo.ageNanos,
                setup.tempo.ageNanos / LOOKS,
                (int) (setup.memoryBytes / PageContent.BYTES / CHANGED_PART)));
    this.log = new RedoLog(dispatcher, writers.getLast(), versions);
  }

  @Override
  public Dispatcher dispatcher() {
    return dispatcher;
  }

  @Override
  public Clientele clientele() {
    return clientele;
  }

  @Override
  public Front front() {
    return front;
  }

  /**
   * Who reads on in a file gets as many pages at a time as the model's reader does, and then twice
   * as many each time, up to what the store reads at once.
   */
  @Override
  public boolean read(long page, Reader asks, Runnable then) {
    Reader.Place place = asks.in(workload.tableOf(page), page);
    boolean readsOn = place.isNext(page);
    place.was(page);
    if (writeBack.holds(page) || readsOn && page < place.aheadTo()) {
      return true;
    }
    int window = readsOn ? place.widen(config.readAheadPages(), MOST_AHEAD_PAGES) : 1;
    int pages = Math.clamp(place.endPage() - page, 1, window);
    place.ahead((int) page + pages);
    reader.read(page, pages, then);
    return false;
  }

  @Override
  public void change(long page) {
    writeBack.change(page);
  }

  @Override
  public void commit(int bytes, Runnable then) {
    writeBack.whenRoom(
        () -> {
          if (config.isLogged()) {
            log.commit(bytes, then);
          } else {
            then.run();
          }
        });
  }

  /** Bytes of pages and of the log that were given to the store to write. */
  long givenBytes() {
    return (writeBack.writtenPages() + log.writtenPages()) * PageContent.BYTES;
  }

  /**
   * Writes what is still to be written and reads all files back; {@code then} runs when every byte
   * is right, and so is the mix. When nobody is served any more.
   */
  void check(Runnable then) {
    RunResult.SelfCheck drawn = clientele.selfCheck();
    if (drawn.isRight()) {
      writeBack.drain(() -> reader.readAll(then));
    } else {
      trouble.found(
          "of %,d interactions a share differs from that of %s by %.2f points"
              .formatted(drawn.interactions(), workload.mix().name(), drawn.worstPoints()));
    }
  }
}
