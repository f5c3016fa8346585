package dev.upcall.httpd.files;

import dev.upcall.FileInfo;
import dev.upcall.PutHandle;
import dev.upcall.StorePath;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.request.Resolved;
import dev.upcall.store.Durability;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * A new file on its way to a fixed path, whose failures are told of the path that was asked for.
 * Dispatcher's thread only.
 */
public final class ToldPut implements PutHandle {
  private final PutHandle handle;
  private final StorePath fixed;
  private final StorePath asked;

  private ToldPut(PutHandle handle, StorePath fixed, StorePath asked) {
    this.handle = handle;
    this.fixed = fixed;
    this.asked = asked;
  }

  /** A put that has begun at the end of a way. */
  public static Completion<PutHandle> of(
      Completion<PutHandle> begun, Resolved way, StorePath asked) {
    Objects.requireNonNull(way, "way");
    return Told.of(begun, way.fixed(), asked)
        .map(handle -> new ToldPut(handle, way.fixed(), asked));
  }

  /**
   * Whether links of a way go round or lead through a file: at the path itself, links not followed,
   * a put would replace the first of them.
   */
  public static boolean isRefused(Resolved way, StorePath asked) {
    Objects.requireNonNull(way, "way");
    Objects.requireNonNull(asked, "asked");
    return way.info().isEmpty() && !way.led().isEmpty() && way.fixed().equals(asked);
  }

  @Override
  public void append(ByteBuffer bytes, CompletionPort<Unit> port) {
    handle.append(bytes, told(port));
  }

  @Override
  public long sizeBytes() {
    return handle.sizeBytes();
  }

  @Override
  public void commit(Durability durability, CompletionPort<FileInfo> port) {
    handle.commit(durability, told(port));
  }

  @Override
  public void abandon() {
    handle.abandon();
  }

  private <T> CompletionPort<T> told(CompletionPort<T> port) {
    Objects.requireNonNull(port, "port");
    return done -> port.complete(Told.of(done, fixed, asked));
  }
}
