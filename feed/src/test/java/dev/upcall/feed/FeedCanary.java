package dev.upcall.feed;

import dev.upcall.BatchResult;
import dev.upcall.FileContent;
import dev.upcall.FileInfo;
import dev.upcall.FileManager;
import dev.upcall.FileTransaction;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.journal.entry.Decoded;
import dev.upcall.journal.entry.Entry;
import dev.upcall.journal.entry.EntryCodec;
import dev.upcall.journal.entry.Samples;
import dev.upcall.journal.entry.SubmissionCodec;
import dev.upcall.journal.queue.EntryQueue.Indexed;
import dev.upcall.request.FileRequest;
import dev.upcall.request.codec.Submission;
import dev.upcall.store.Durability;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Feeds that are broken on purpose, from outside: by what they are given. */
enum FeedCanary {
  /** None: the feed as it is. */
  NONE,
  /** Position and numbers are committed after the work, in a change of their own. */
  NOTED_AFTER_THE_WORK,
  /** The entry at the position is taken for the one that was read there. */
  POSITION_NOT_COMPARED,
  /** What a producer asked last is forgotten at each opening. */
  SEQUENCE_NOT_COMPARED,
  /** The first part of a content is put in place as if it were all. */
  PARTS_SHOWN_EARLY,
  /** When one request of a group fails, those that were done before it fail too. */
  NEIGHBOURS_FAIL,
  /** The position is that of the newest entry that was read, done or not. */
  POSITION_AHEAD,
  /** Producers are told of what is not durable yet. */
  TOLD_BEFORE_DURABLE,
  /** What nobody knows to be told is not told again. */
  NOT_TOLD_AGAIN,
  /** What a producer has asked is forgotten while its entries are still in the queue. */
  FORGOTTEN_TOO_EARLY;

  FileManager files(FileManager files, QueueModel model) {
    return switch (this) {
      case NOTED_AFTER_THE_WORK ->
          proxy(
              FileManager.class, begins(files, real -> new Later(files, real, new ArrayList<>())));
      case SEQUENCE_NOT_COMPARED -> proxy(FileManager.class, new Forgets(files));
      case NEIGHBOURS_FAIL -> {
        int[] poisoned = new int[1];
        yield proxy(FileManager.class, begins(files, real -> new Neighbours(real, poisoned)));
      }
      case POSITION_AHEAD ->
          proxy(FileManager.class, begins(files, real -> new Ahead(real, model)));
      case TOLD_BEFORE_DURABLE -> proxy(FileManager.class, new Careless(files));
      case NONE, POSITION_NOT_COMPARED, PARTS_SHOWN_EARLY, NOT_TOLD_AGAIN, FORGOTTEN_TOO_EARLY ->
          files;
    };
  }

  ModelSource source(QueueModel model, Dispatcher dispatcher) {
    return switch (this) {
      case POSITION_NOT_COMPARED -> new Trusting(model, dispatcher);
      case PARTS_SHOWN_EARLY -> new Hasty(model, dispatcher);
      case POSITION_AHEAD -> new Noting(model, dispatcher);
      case NOT_TOLD_AGAIN -> new Forgetting(model, dispatcher);
      case FORGOTTEN_TOO_EARLY -> new Hurried(model, dispatcher);
      case NONE,
          NOTED_AFTER_THE_WORK,
          SEQUENCE_NOT_COMPARED,
          NEIGHBOURS_FAIL,
          TOLD_BEFORE_DURABLE ->
          new ModelSource(model, dispatcher);
    };
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(FeedCanary.class.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException thrown) {
      throw thrown.getCause();
    }
  }

  @SuppressWarnings("unchecked")
  private static <T> CompletionPort<T> port(Object[] arguments) {
    return (CompletionPort<T>) arguments[arguments.length - 1];
  }

  /** Finds no property of a producer. */
  private record Forgets(FileManager files) implements InvocationHandler {
    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
      boolean isProducer =
          method.getName().equals("property") && arguments[0].toString().split("\\.").length > 3;
      if (isProducer) {
        files
            .dispatcher()
            .complete(port(arguments), Completion.failed(new Failure.NotFound("forgotten")));
        return null;
      }
      return call(files, method, arguments);
    }
  }

  /** Says that all is durable, and makes nothing so. */
  private record Careless(FileManager files) implements InvocationHandler {
    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
      if (method.getName().equals("flush")) {
        files.dispatcher().complete(port(arguments), Completion.done(Unit.UNIT));
        return null;
      }
      return call(files, method, arguments);
    }
  }

  /** Puts something before each transaction. */
  private static InvocationHandler begins(
      FileManager files, Function<FileTransaction, InvocationHandler> broken) {
    return (_, method, arguments) -> {
      if (!method.getName().equals("begin")) {
        return call(files, method, arguments);
      }
      CompletionPort<FileTransaction> port = port(arguments);
      files.begin(
          begun ->
              port.complete(begun.map(real -> proxy(FileTransaction.class, broken.apply(real)))));
      return null;
    };
  }

  @SuppressWarnings("unchecked")
  private static List<FileRequest> requests(Object[] arguments) {
    return (List<FileRequest>) arguments[0];
  }

  /** Leaves notes to a batch of their own behind the transaction. */
  private record Later(FileManager files, FileTransaction real, List<FileRequest> notes)
      implements InvocationHandler {
    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
      if (method.getName().equals("batch")) {
        List<FileRequest> requests = requests(arguments);
        if (requests.stream().allMatch(each -> each instanceof FileRequest.SetProperty)) {
          notes.addAll(requests);
          BatchResult nothing =
              new BatchResult(requests.stream().map(_ -> Optional.<FileInfo>empty()).toList());
          files.dispatcher().complete(port(arguments), Completion.done(nothing));
          return null;
        }
      }
      if (method.getName().equals("commit")) {
        CompletionPort<Long> port = port(arguments);
        real.commit(
            Durability.SYNC,
            done -> {
              if (done instanceof Completion.Done<Long>(Long scn)) {
                files.batch(notes, Durability.SYNC, noted -> port.complete(noted.map(_ -> scn)));
              } else {
                port.complete(done);
              }
            });
        return null;
      }
      return call(real, method, arguments);
    }
  }

  /** Fails files that were written before something else failed. */
  private static final class Neighbours implements InvocationHandler {
    private final FileTransaction real;
    private final int[] poisoned;
    private int written;

    Neighbours(FileTransaction real, int[] poisoned) {
      this.real = real;
      this.poisoned = poisoned;
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
      switch (method.getName()) {
        case "open" -> {
          written++;
          if (poisoned[0] > 0) {
            poisoned[0]--;
            real.refuse(new Failure.NotFound("what another wanted"), port(arguments));
            return null;
          }
        }
        case "batch" -> {
          CompletionPort<BatchResult> port = port(arguments);
          real.batch(
              requests(arguments),
              done -> {
                poisoned[0] += done instanceof Completion.Failed ? written : 0;
                port.complete(done);
              });
          return null;
        }
        default -> {
          // As it is.
        }
      }
      return call(real, method, arguments);
    }
  }

  /** Notes the newest entry that was read. */
  private record Ahead(FileTransaction real, QueueModel model) implements InvocationHandler {
    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
      if (method.getName().equals("batch")) {
        arguments[0] = requests(arguments).stream().map(this::ahead).toList();
      }
      return call(real, method, arguments);
    }

    private FileRequest ahead(FileRequest request) {
      if (request instanceof FileRequest.SetProperty(String name, byte[] _)
          && name.equals("upcall.queue." + model.id())) {
        Map.Entry<Long, byte[]> newest = model.everSeen().lastEntry();
        int checksum = EntryCodec.checksumOf(newest.getValue());
        Position position = new Position(model.generation(), newest.getKey(), checksum);
        return new FileRequest.SetProperty(name, position.encode());
      }
      return request;
    }
  }

  /** Knows of no producer. */
  private static final class Forgetting extends ModelSource {
    private final Dispatcher dispatcher;

    Forgetting(QueueModel model, Dispatcher dispatcher) {
      super(model, dispatcher);
      this.dispatcher = dispatcher;
    }

    @Override
    public void producers(CompletionPort<List<UUID>> port) {
      dispatcher.complete(port, Completion.done(List.of()));
    }
  }

  /** Does not look what is in the queue. */
  private static final class Hurried extends ModelSource {
    private final QueueModel model;

    Hurried(QueueModel model, Dispatcher dispatcher) {
      super(model, dispatcher);
      this.model = model;
    }

    @Override
    public void expire(UUID producer, long upTo, CompletionPort<Boolean> port) {
      super.expire(producer, upTo, _ -> port.complete(Completion.done(model.isRetired(producer))));
    }
  }

  /** Remembers what was read. */
  private static class Noting extends ModelSource {
    private final QueueModel model;

    Noting(QueueModel model, Dispatcher dispatcher) {
      super(model, dispatcher);
      this.model = model;
    }

    @Override
    Indexed seen(Indexed found) {
      if (found.damagedBytes() == 0) {
        model.everSeen().put(found.index(), found.bytes());
      }
      return found;
    }
  }

  /** Says that the entry that was once seen somewhere is still there. */
  private static final class Trusting extends Noting {
    private final QueueModel model;

    Trusting(QueueModel model, Dispatcher dispatcher) {
      super(model, dispatcher);
      this.model = model;
    }

    @Override
    byte @Nullable [] entry(long index) {
      byte[] seen = model.everSeen().get(index);
      return seen == null ? super.entry(index) : seen;
    }
  }

  /** Makes a request of its own of the first part of one. */
  private static final class Hasty extends ModelSource {
    Hasty(QueueModel model, Dispatcher dispatcher) {
      super(model, dispatcher);
    }

    @Override
    Indexed seen(Indexed found) {
      if (EntryCodec.decode(found.bytes()) instanceof Decoded.Value<Entry>(Entry entry)
          && entry.part() == 0
          && entry.parts() > 1
          && SubmissionCodec.decode(entry) instanceof Decoded.Value<Submission>(Submission first)
          && first instanceof Submission.Changes changes
          && changes.requests().getFirst() instanceof FileRequest.Put put) {
        int contentAt = SubmissionCodec.encode(first).length;
        byte[] content = Arrays.copyOfRange(entry.body(), contentAt, entry.body().length - 64);
        Submission whole =
            Submission.of(
                new FileRequest.Put(put.path(), new FileContent.Bytes(content), put.options()));
        return new Indexed(
            found.index(), EntryCodec.encode(Samples.entries(whole, entry.origin(), 0).getFirst()));
      }
      return found;
    }
  }
}
