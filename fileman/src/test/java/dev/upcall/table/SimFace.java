package dev.upcall.table;

import dev.upcall.FileChanges;
import dev.upcall.FileManager;
import dev.upcall.FileReads;
import dev.upcall.FileSnapshot;
import dev.upcall.FileTransaction;
import dev.upcall.FsmUpcall;
import dev.upcall.UpcallException;
import dev.upcall.UpcallSnapshot;
import dev.upcall.UpcallTransaction;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Unit;
import dev.upcall.request.Change;
import dev.upcall.request.Look;
import dev.upcall.store.Durability;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.function.Function;

/**
 * The face for callers that wait, on a simulated machine: what programs and the tables with types
 * call, over the requests of a file manager. It has what one of its callers in the tests needs.
 */
final class SimFace {
  private final SimCallers.Waits waits;
  private final Broken broken;

  private SimFace(SimCallers.Waits waits, Broken broken) {
    this.waits = waits;
    this.broken = broken;
  }

  /** The fate of a change on its way to the store. */
  interface Broken {
    /** Nothing. */
    Broken NOT = (change, ask) -> ask.apply(change);

    /**
     * Gives the answer.
     *
     * @param ask asks the store for a change
     */
    Object ask(Change<?> change, Function<Change<?>, Object> ask);
  }

  /** A face for one caller. */
  static FsmUpcall of(FileManager files, SimCallers.Waits waits, Broken broken) {
    SimFace face = new SimFace(waits, broken);
    return face.standIn(FsmUpcall.class, (name, arguments) -> face.store(files, name, arguments));
  }

  private Object store(FileManager files, String name, Object[] arguments) {
    return switch (name) {
      case "ask" -> ask(files, arguments[0]);
      case "begin" -> begin(files);
      case "transact" -> transact(files, arguments[0]);
      case "snapshot" -> snapshot(files);
      case "checkpoint" -> get(waits.<Unit>await(files::checkpoint));
      default -> throw new UnsupportedOperationException(name);
    };
  }

  private UpcallTransaction begin(FileManager files) {
    FileTransaction transaction = get(waits.<FileTransaction>await(files::begin));
    return standIn(
        UpcallTransaction.class,
        (name, arguments) ->
            switch (name) {
              case "ask" -> ask(transaction, arguments[0]);
              case "commit" ->
                  get(
                      waits.<Long>await(
                          port -> transaction.commit((Durability) arguments[0], port)));
              case "rollback", "close" -> run(files, transaction::rollback);
              default -> throw new UnsupportedOperationException(name);
            });
  }

  /** Runs a step that belongs to the store's thread, in the order in which its callers ask. */
  private Object run(FileManager files, Runnable upcall) {
    return get(
        waits.<Unit>await(
            port -> {
              upcall.run();
              files.dispatcher().complete(port, Completion.done());
            }));
  }

  @SuppressWarnings("unchecked") // as the method says
  private Object transact(FileManager files, Object body) {
    try (UpcallTransaction transaction = begin(files)) {
      Object result = ((Function<UpcallTransaction, Object>) body).apply(transaction);
      transaction.commit();
      return result;
    }
  }

  private UpcallSnapshot snapshot(FileManager files) {
    FileSnapshot snapshot = get(waits.<FileSnapshot>await(files::snapshot));
    return standIn(
        UpcallSnapshot.class,
        (name, arguments) ->
            switch (name) {
              case "ask" -> look(snapshot, (Look<?>) arguments[0]);
              case "close" -> run(files, snapshot::close);
              default -> throw new UnsupportedOperationException(name);
            });
  }

  private Object ask(FileChanges files, Object request) {
    return request instanceof Look<?> look
        ? look(files, look)
        : broken.ask((Change<?>) request, change -> change(files, change));
  }

  private <R> Object look(FileReads files, Look<R> look) {
    return get(waits.<R>await(port -> files.ask(look, port)));
  }

  private <R> Object change(FileChanges files, Change<R> change) {
    return get(waits.<R>await(port -> files.ask(change, port)));
  }

  private static <T> T get(Completion<T> completion) {
    return UpcallException.value(completion);
  }

  /** A method of a face that others are made of. */
  private interface Does {
    Object call(String name, Object[] arguments);
  }

  private <I> I standIn(Class<I> type, Does does) {
    InvocationHandler handler =
        (proxy, method, arguments) -> {
          if (method.isDefault()) {
            return InvocationHandler.invokeDefault(proxy, method, arguments);
          }
          Object result =
              does.call(method.getName(), arguments == null ? new Object[0] : arguments);
          return method.getReturnType() == void.class ? null : result;
        };
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
