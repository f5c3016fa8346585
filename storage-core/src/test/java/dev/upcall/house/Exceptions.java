package dev.upcall.house;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Who may do what the others may not, each with the reason. A class stands for its nested classes
 * too. Adding a line here is a decision: say why nothing else serves.
 */
public final class Exceptions {
  private Exceptions() {}

  /** Classes that know of more than one thread: queues, wake-ups and helper threads. */
  public static final Exception THREADS =
      new Exception("classes that stand at the thread boundary")
          .plus(
              "dev.upcall.fsm.Dispatcher", "takes requests from other threads, and is told to stop")
          .plus("dev.upcall.fsm.DispatcherEnd", "tells other threads why it came")
          .plus("dev.upcall.fsm.OwnerSleep", "refuses other threads once the dispatcher has ended")
          .plus(
              "dev.upcall.fsm.door.CallerSpin", "callers look for their answers, a bounded number")
          .plus(
              "dev.upcall.fsm.wakeup.CallerLooks", "callers count how they look for their answers")
          .plus("dev.upcall.fsm.wakeup.SpinHistory", "callers write and read how long they waited")
          .plus("dev.upcall.fsm.CallerWatch", "the dispatcher looks for callers before it sleeps")
          .plus("dev.upcall.fsm.wakeup.Processors", "callers ask how many there are")
          .plus("dev.upcall.fsm.wakeup.Inbox", "the cross-thread queue, its wake-up and its close")
          .plus(
              "dev.upcall.fsm.door.RequestDoor",
              "lets other threads' requests in, a bounded number")
          .plus("dev.upcall.fsm.record.RecordRing", "other threads copy what one writes")
          .plus("dev.upcall.fsm.record.RecordNames", "other threads read the names of records")
          .plus("dev.upcall.fsm.door.Blocking", "a caller's thread waits for its completion")
          .plus(
              "dev.upcall.fsm.wakeup.VirtualThreads",
              "starts threads for doors to programs, on whatever thread finds that one is needed")
          .plus(
              "dev.upcall.fsm.wakeup.Terminations",
              "tells waiting threads that the dispatcher ended")
          .plus(
              "dev.upcall.fsm.wakeup.DespiteFullHeap",
              "waits for memory when nothing else is left to be done")
          .plus("dev.upcall.io.volume.HeapReserve", "callers ask whether the heap has room")
          .plus(
              "dev.upcall.fsm.door.PassivePort", "drained by a thread that is not the dispatcher's")
          .plus("dev.upcall.fsm.door.ParkingReactor", "wakes a parked dispatcher")
          .plus("dev.upcall.io.volume.NettyReactor", "wakes a dispatcher that waits in the ring")
          .plus("dev.upcall.io.volume.EpollHandler", "wakes a dispatcher that waits in epoll")
          .plus("dev.upcall.io.volume.ChannelDisk", "a pool of threads over FileChannel")
          .plus("dev.upcall.io.volume.RingDisk", "the helper thread for what the ring cannot do")
          .plus("dev.upcall.fsm.HelperThreads", "runs what must block, on threads")
          .plus("dev.upcall.io.volume.HelperThread", "brings back what a helper has made")
          .plus("dev.upcall.io.LibC", "any thread calls, and each call takes memory for itself")
          .plus("dev.upcall.io.DirectMemory", "any thread asks, and hears what others were told")
          .plus("dev.upcall.io.volume.VolumeClaim", "waits for a lock on a thread of its own")
          .plus("dev.upcall.io.trace.TraceWriter", "writes a file beside the dispatcher")
          .plus("dev.upcall.io.trace.TracedDevice", "threads tell of their requests, one at a time")
          .plus("dev.upcall.io.seal.Xts", "looks at bytes as words, by a handle, of one thread")
          .plus(
              "dev.upcall.io.seal.SealedDevice",
              "threads encrypt and decrypt what they bring, and wait for memory")
          .plus("dev.upcall.base.ThreadEnd", "waits for threads that end")
          .plus(
              "dev.upcall.fsm.door.HandOver",
              "takes things from any thread, such as released leases")
          .plus("dev.upcall.buffer.UnpinnedBytes", "other threads copy what the owner may let go")
          .plus("dev.upcall.buffer.SharedFrames", "other threads look for frames")
          .plus("dev.upcall.content.Loan", "another thread fills memory that may be taken back")
          .plus("dev.upcall.tree.Children", "readers on any thread make pointers")
          .plus("dev.upcall.completion.DamageLog", "readers on any thread note what they have met")
          .plus("dev.upcall.segment.layout.SharedTrees", "other threads look for trees of contents")
          .plus("dev.upcall.txn.state.UnplacedVersions", "other threads ask what is unplaced")
          .plus("dev.upcall.txn.state.ChangeStamps", "other threads ask what has changed since")
          .plus("dev.upcall.txn.Publication", "other threads look at a view of the state")
          .plus("dev.upcall.txn.PublishedReads", "other threads look, and count their looks")
          .plus(
              "dev.upcall.fileman.async",
              "the asynchronous door hands requests over from its thread")
          .plus("dev.upcall.fileman.blocking", "the blocking facade waits on the caller's thread")
          .plus("dev.upcall.fileman.keys.KeyReader", "waits for commands, on the caller's thread")
          .plus("dev.upcall.fileman.stage", "requests of any threads, completed on an executor")
          .plus("dev.upcall.guard.ReplaceableAccess", "a command replaces rules that servers ask")
          .plus("dev.upcall.stage", "the face of those requests")
          .plus("dev.upcall.FsmUpcall", "takes the executor on which stages complete")
          .plus("dev.upcall.AsyncFiles", "gives a publisher of changes, whose program subscribes")
          .plus(
              "dev.upcall.fileman.reading.CallersBuffer",
              "callers' threads ask whether another one may touch a buffer")
          .plus(
              "dev.upcall.fileman.reading.SequentialMisses",
              "threads whose reads go to the store note where they go on")
          .plus("dev.upcall.fileman.watch.ChangePublisher", "any thread subscribes")
          .plus(
              "dev.upcall.fileman.watch.ChangeSubscription",
              "its subscriber takes elsewhere what whoever applies changes adds")
          .plus("dev.upcall.trees", "tasks may be run by an executor, and are watched meanwhile")
          .plus("dev.upcall.fileman.trees", "threads read and write the host's files side by side")
          .plus("dev.upcall.table.RecordIds", "threads take ids of one block")
          .plus("dev.upcall.nio", "channels are any thread's, and those of one file take turns")
          .plus("dev.upcall.feed.QueueThread", "reads the queue on a thread of its own")
          .plus("dev.upcall.httpd.log.AccessLog", "a thread writes what dispatchers leave in rings")
          .plus("dev.upcall.httpd.log.LogRing", "one thread takes what another one writes")
          .plus("dev.upcall.httpd.blocking", "a thread for each connection, which waits")
          .plus("dev.upcall.httpd.tls.HandshakeStep", "runs beside the dispatcher")
          .plus("dev.upcall.httpd.tls.HandshakeThreads", "two threads compute handshakes")
          .plus("dev.upcall.httpd.tls.TlsEngines", "those threads make engines during a reload")
          .plus(
              "dev.upcall.httpd.server.HttpThread",
              "a dispatcher for sockets on a thread of its own")
          .plus("dev.upcall.locks", "locks of the engine of threads")
          .plus("dev.upcall.threads", "the engine of threads: its callers wait for locks and disk")
          .plus(
              "dev.upcall.threads.log.GroupCommitLog",
              "the log of threads: the first who waits writes")
          .plus("dev.upcall.threads.log.CommitGroup", "threads that wait for the same batch")
          .plus("dev.upcall.threads.log.GroupCommit", "what the log of threads does with its lock")
          .plus("dev.upcall.txn.log.LogEnd", "anyone may ask what is durable while one writes")
          .plus("dev.upcall.threads.log.MachinePorts", "tells the machines what threads did")
          .plus(
              "dev.upcall.io.volume.ChannelDevice",
              "serves any thread, and opens its channel again")
          .plus("dev.upcall.metrics.MeterReadings", "meters are read on any thread")
          .plus("dev.upcall.metrics.PrometheusHistograms", "meters are read on any thread");

  /** Classes that read a real clock; everyone else is given one. */
  public static final Exception REAL_TIME =
      new Exception("the clock that the launcher hands in")
          .plus("dev.upcall.base.SystemClock", "is the real clock")
          .plus("dev.upcall.fsm.HelperThreads", "asks for no thread soon after one was refused")
          .plus("dev.upcall.fsm.door.ParkingReactor", "parks for a real time")
          .plus("dev.upcall.io.volume.NettyReactor", "feeds the loop's ticker");

  /** Classes that touch the file system of the host. */
  public static final Exception FILE_SYSTEM =
      new Exception("the disks and what opens them")
          .plus("dev.upcall.io", "is the disk seam; it blocks on helper threads only")
          .plus(
              "dev.upcall.fileman.blocking.NewVolume",
              "names a volume once it is whole, on the caller's thread")
          .plus(
              "dev.upcall.fileman.keys.KeyReader",
              "reads key files and runs key commands, on the caller's thread")
          .plus("dev.upcall.fileman.trees", "imports from the host and exports to it")
          .plus(
              "dev.upcall.fileman.blocking.Descriptors",
              "reads what the kernel says of this process, on the caller's thread")
          .plus(
              "dev.upcall.fileman.blocking.Incarnations",
              "reads what the kernel says of this process, on the caller's thread")
          .plus("dev.upcall.httpd.log.AccessLog", "a thread of its own appends to its file")
          .plus("dev.upcall.guard.AccessFile", "reads rules, on the thread of who starts a server")
          .plus("dev.upcall.nio", "is java.nio.file, and finds and maps files of the host");

  /** Classes whose chance nobody may foretell. */
  public static final Exception CHANCE =
      new Exception("what makes keys")
          .plus("dev.upcall.fileman.keys.KeyReader", "makes the key of a new volume, and salts");

  /** All of them. */
  static final List<Exception> ALL = List.of(THREADS, REAL_TIME, FILE_SYSTEM, CHANCE);

  /** A named list of classes and packages with reasons. */
  public static final class Exception {
    private final String name;
    private final Map<String, String> reasons = new TreeMap<>();

    private Exception(String name) {
      this.name = name;
    }

    private Exception plus(String classOrPackage, String reason) {
      reasons.put(classOrPackage, reason);
      return this;
    }

    /** Everyone who is not on the list. */
    public DescribedPredicate<JavaClass> others() {
      return DescribedPredicate.describe(
          "all but " + name + " " + reasons.keySet(),
          type -> reasons.keySet().stream().noneMatch(entry -> covers(entry, type.getName())));
    }

    /** Whether the class of that full name is on the list. */
    public boolean has(String className) {
      return reasons.keySet().stream().anyMatch(entry -> covers(entry, className));
    }

    /** Entries that stand for none of these classes. */
    List<String> without(List<String> classNames) {
      return reasons.keySet().stream()
          .filter(entry -> classNames.stream().noneMatch(name -> covers(entry, name)))
          .toList();
    }

    private static boolean covers(String entry, String className) {
      return className.equals(entry)
          || className.startsWith(entry + ".")
          || className.startsWith(entry + "$");
    }
  }
}
