package dev.upcall.feed;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.fileman.BatchResult;
import dev.upcall.fileman.FileInfo;
import dev.upcall.fileman.FileManager;
import dev.upcall.fileman.FileRequest;
import dev.upcall.fileman.FileTransaction;
import dev.upcall.fileman.FileVersion;
import dev.upcall.fileman.OpenMode;
import dev.upcall.fileman.PutHandle;
import dev.upcall.journal.entry.Decoded;
import dev.upcall.journal.entry.Entry;
import dev.upcall.journal.entry.EntryCodec;
import dev.upcall.journal.entry.Request;
import dev.upcall.store.Durability;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * One request on its way: done together with what is noted about it, as one change, or not at all.
 * Completes with the state of the last file that it left, zeros if it left none.
 */
final class FeedChange {
  /** No file. */
  static final FileVersion NOTHING = new FileVersion(0, 0);

  private final FileManager files;
  private final Function<FileVersion, List<FileRequest>> notes;
  private final CompletionPort<FileVersion> port;

  /** Gives back what is held besides the transaction. */
  private Runnable undo = () -> {};

  /**
   * A change that is still to be asked for.
   *
   * @param notes what is noted when it is done, given the state of the file that it leaves
   */
  FeedChange(
      FileManager files,
      Function<FileVersion, List<FileRequest>> notes,
      CompletionPort<FileVersion> port) {
    this.files = files;
    this.notes = notes;
    this.port = port;
  }

  /** A request that is whole in one entry. */
  void whole(Request request, byte[] body, int contentAt) {
    ByteBuffer contents = ByteBuffer.wrap(body, contentAt, body.length - contentAt);
    switch (request) {
      case Request.Write(String path, long offset, long _) ->
          inTransaction(
              transaction -> range(transaction, path, OpenMode.EXISTING, offset, contents));
      case Request.Append(String path, long _) ->
          inTransaction(transaction -> range(transaction, path, OpenMode.CREATE, -1, contents));
      default ->
          inTransaction(
              transaction -> {
                switch (Translation.of(request, contents)) {
                  case Completion.Failed<List<FileRequest>>(Failure failure) ->
                      giveUp(transaction, failure);
                  case Completion.Done<List<FileRequest>>(List<FileRequest> requests) ->
                      transaction.batch(
                          requests, of(transaction, result -> note(transaction, last(result))));
                }
              });
    }
  }

  /** A put whose content is in many entries. */
  void parts(RequestSource source, Unfinished.Parts parts) {
    Request.Put put = (Request.Put) parts.submission().request();
    inTransaction(
        transaction ->
            transaction.put(
                put.path(),
                Translation.options(put),
                of(
                    transaction,
                    handle -> {
                      undo = handle::abandon;
                      part(transaction, handle, source, parts, 0);
                    })));
  }

  /** Only notes something. */
  void nothing() {
    files.batch(
        notes.apply(NOTHING), Durability.SYNC, done -> port.complete(done.map(_ -> NOTHING)));
  }

  private void inTransaction(Consumer<FileTransaction> work) {
    files.begin(
        begun -> {
          switch (begun) {
            case Completion.Failed<FileTransaction> failed -> port.complete(failed.cast());
            case Completion.Done<FileTransaction>(FileTransaction transaction) ->
                work.accept(transaction);
          }
        });
  }

  private void range(
      FileTransaction transaction, String path, OpenMode mode, long offset, ByteBuffer bytes) {
    transaction.open(
        path,
        mode,
        of(
            transaction,
            handle -> {
              undo = handle::abandon;
              CompletionPort<Unit> written =
                  of(
                      transaction,
                      _ ->
                          handle.close(
                              of(
                                  transaction,
                                  _ -> note(transaction, handle.info().fileVersion()))));
              if (offset < 0) {
                handle.append(bytes, written);
              } else {
                handle.write(offset, bytes, written);
              }
            }));
  }

  private void part(
      FileTransaction transaction,
      PutHandle handle,
      RequestSource source,
      Unfinished.Parts parts,
      int number) {
    if (number == parts.indexes().size()) {
      handle.commit(of(transaction, (FileInfo file) -> note(transaction, file.fileVersion())));
      return;
    }
    CompletionPort<Unit> appended =
        of(transaction, _ -> part(transaction, handle, source, parts, number + 1));
    source.read(
        parts.indexes().get(number),
        of(
            transaction,
            (Optional<byte[]> found) -> {
              if (found.map(EntryCodec::decode).orElse(null)
                      instanceof Decoded.Value<Entry>(Entry entry)
                  && entry.origin().equals(parts.origin())
                  && entry.part() == number) {
                int at = number == 0 ? parts.submission().contentAt() : 0;
                byte[] body = entry.body();
                handle.append(ByteBuffer.wrap(body, at, body.length - at), appended);
              } else {
                giveUp(transaction, new Failure.Device("reading a part again", "it has changed"));
              }
            }));
  }

  private void note(FileTransaction transaction, FileVersion file) {
    transaction.batch(
        notes.apply(file),
        of(
            transaction,
            _ -> transaction.commit(Durability.SYNC, of(transaction, _ -> done(file)))));
  }

  private void done(FileVersion file) {
    port.complete(Completion.done(file));
  }

  private <T> CompletionPort<T> of(FileTransaction transaction, Consumer<T> next) {
    return completion -> {
      switch (completion) {
        case Completion.Done<T>(T value) -> next.accept(value);
        case Completion.Failed<T>(Failure failure) -> giveUp(transaction, failure);
      }
    };
  }

  private void giveUp(FileTransaction transaction, Failure failure) {
    undo.run();
    transaction.rollback();
    port.complete(Completion.failed(failure));
  }

  private static FileVersion last(BatchResult result) {
    List<FileInfo> left = new ArrayList<>();
    result.files().forEach(file -> file.ifPresent(left::add));
    return left.isEmpty() ? NOTHING : left.getLast().fileVersion();
  }
}
