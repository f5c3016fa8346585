package dev.upcall.sim.store.plan;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.content.ContentSlice;
import dev.upcall.io.IoClass;
import dev.upcall.segment.ContentReader;
import dev.upcall.segment.PinnedContent;
import dev.upcall.segment.layout.Inode;
import dev.upcall.store.StoreFixture;
import dev.upcall.txn.Store;
import dev.upcall.txn.View;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/**
 * A store that is broken on purpose: who reads a version of an edited file, piece by piece, finds
 * each by the map that the file has by then.
 */
final class MovingMaps {
  private MovingMaps() {}

  /** A store broken like that. */
  @SuppressWarnings("unchecked")
  static Store over(Store store) {
    return (Store)
        Proxy.newProxyInstance(
            Store.class.getClassLoader(),
            new Class<?>[] {Store.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("pin")) {
                arguments[2] = moving(store, (CompletionPort<PinnedContent>) arguments[2]);
              }
              try {
                Object answer = method.invoke(store, arguments);
                return method.getName().equals("tryPin") && answer != null
                    ? moving(store, (Completion<PinnedContent>) answer)
                    : answer;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private static CompletionPort<PinnedContent> moving(
      Store store, CompletionPort<PinnedContent> port) {
    return completion -> port.complete(moving(store, completion));
  }

  private static Completion<PinnedContent> moving(
      Store store, Completion<PinnedContent> completion) {
    return completion instanceof Completion.Done<PinnedContent>(PinnedContent content)
            && content.inode().layout().pieces() != null
        ? Completion.done(new Moving(store, content))
        : completion;
  }

  /** A version that is read by the map of another. */
  private record Moving(Store store, PinnedContent pinned) implements PinnedContent {
    @Override
    public Inode inode() {
      return pinned.inode();
    }

    @Override
    public PinnedContent space() {
      return pinned.space();
    }

    @Override
    public ContentReader.Place place(long block) {
      return pinned.place(block);
    }

    @Override
    public void read(
        long offset, int maxBytes, IoClass ioClass, CompletionPort<ContentSlice> port) {
      Completion<PinnedContent> now = store.tryPin(this::present, StoreFixture.OWNER);
      if (now instanceof Completion.Done<PinnedContent>(PinnedContent present)) {
        present.read(
            offset,
            maxBytes,
            ioClass,
            completion -> {
              present.close();
              port.complete(completion);
            });
      } else {
        pinned.read(offset, maxBytes, ioClass, port);
      }
    }

    private Completion<Inode> present(View view) {
      Inode inode = view.inode(inode().id());
      return inode == null
          ? Completion.failed(new Failure.NotFound("file " + inode().id()))
          : Completion.done(inode);
    }

    @Override
    public @Nullable ContentSlice tryRead(long offset, int maxBytes) {
      return null;
    }

    @Override
    public void close() {
      pinned.close();
    }
  }
}
