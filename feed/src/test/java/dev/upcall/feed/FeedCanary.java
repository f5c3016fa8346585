package dev.upcall.feed;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.fileman.BatchResult;
import dev.upcall.fileman.FileInfo;
import dev.upcall.fileman.FileManager;
import dev.upcall.fileman.FileRequest;
import dev.upcall.fileman.FileTransaction;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.journal.entry.Decoded;
import dev.upcall.journal.entry.Entry;
import dev.upcall.journal.entry.EntryCodec;
import dev.upcall.journal.entry.Request;
import dev.upcall.journal.entry.RequestCodec;
import dev.upcall.journal.entry.Submission;
import dev.upcall.journal.queue.EntryQueue.Indexed;
import dev.upcall.store.Durability;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

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
  PARTS_SHOWN_EARLY;

  FileManager files(FileManager files) {
    return switch (this) {
      case NOTED_AFTER_THE_WORK -> proxy(FileManager.class, new NotesLater(files));
      case SEQUENCE_NOT_COMPARED -> proxy(FileManager.class, new Forgets(files));
      case NONE, POSITION_NOT_COMPARED, PARTS_SHOWN_EARLY -> files;
    };
  }

  ModelSource source(QueueModel model, Dispatcher dispatcher) {
    return switch (this) {
      case POSITION_NOT_COMPARED -> new Trusting(model, dispatcher);
      case PARTS_SHOWN_EARLY -> new Hasty(model, dispatcher);
      case NONE, NOTED_AFTER_THE_WORK, SEQUENCE_NOT_COMPARED -> new ModelSource(model, dispatcher);
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

  /** Gives transactions that leave notes to a batch of their own behind them. */
  private record NotesLater(FileManager files) implements InvocationHandler {
    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
      if (!method.getName().equals("begin")) {
        return call(files, method, arguments);
      }
      CompletionPort<FileTransaction> port = port(arguments);
      files.begin(
          begun ->
              port.complete(
                  begun.map(
                      real ->
                          proxy(
                              FileTransaction.class, new Later(files, real, new ArrayList<>())))));
      return null;
    }
  }

  private record Later(FileManager files, FileTransaction real, List<FileRequest> notes)
      implements InvocationHandler {
    @Override
    @SuppressWarnings("unchecked")
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
      if (method.getName().equals("batch")) {
        List<FileRequest> requests = (List<FileRequest>) arguments[0];
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

  /** Says that the entry that was once seen somewhere is still there. */
  private static final class Trusting extends ModelSource {
    private final QueueModel model;
    private final Dispatcher dispatcher;

    Trusting(QueueModel model, Dispatcher dispatcher) {
      super(model, dispatcher);
      this.model = model;
      this.dispatcher = dispatcher;
    }

    @Override
    byte[] seen(Indexed found) {
      model.everSeen().put(found.index(), found.bytes());
      return found.bytes();
    }

    @Override
    public void read(long index, CompletionPort<Optional<byte[]>> port) {
      byte[] there = entry(index);
      byte[] seen = model.everSeen().getOrDefault(index, there);
      dispatcher.complete(port, Completion.done(Optional.ofNullable(seen)));
    }
  }

  /** Makes a request of its own of the first part of one. */
  private static final class Hasty extends ModelSource {
    Hasty(QueueModel model, Dispatcher dispatcher) {
      super(model, dispatcher);
    }

    @Override
    byte[] seen(Indexed found) {
      if (EntryCodec.decode(found.bytes()) instanceof Decoded.Value<Entry>(Entry entry)
          && entry.part() == 0
          && entry.parts() > 1
          && RequestCodec.decode(entry) instanceof Decoded.Value<Submission>(Submission first)
          && first.request() instanceof Request.Put put) {
        byte[] body = Arrays.copyOfRange(entry.body(), first.contentAt(), entry.body().length - 64);
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        whole.writeBytes(
            RequestCodec.encode(
                new Request.Put(put.path(), put.condition(), put.parents(), body.length)));
        whole.writeBytes(body);
        return EntryCodec.encode(
            new Entry(entry.origin(), entry.kind(), 0, 1, whole.toByteArray()));
      }
      return found.bytes();
    }
  }
}
