package dev.upcall.feed;

import dev.upcall.BatchResult;
import dev.upcall.FileHandle;
import dev.upcall.FileInfo;
import dev.upcall.FileManager;
import dev.upcall.FileTransaction;
import dev.upcall.FileVersion;
import dev.upcall.OpenMode;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.feed.answer.Outcome;
import dev.upcall.journal.entry.Reply;
import dev.upcall.request.FileRequest;
import dev.upcall.store.Durability;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A group of requests on its way: done in their order, together with what is noted about them, as
 * one change, or not at all: a batch, or with ranges of files a transaction. Requests of which it
 * is known that they fail are only noted. Completes when the change is applied; it is durable with
 * the next flush.
 */
final class GroupChange {
  private final FileTransaction transaction;
  private final List<Member> members;
  private final Function<List<Ended>, Completion<List<FileRequest>>> notes;
  private final CompletionPort<List<Ended>> port;
  private final List<Ended> ended = new ArrayList<>();

  /**
   * One of a group.
   *
   * @param request that is done
   * @param work how: the request's own, or with its content that was brought to the store
   */
  record Member(Asked request, Work work) {}

  private GroupChange(
      FileTransaction transaction,
      List<Member> members,
      Function<List<Ended>, Completion<List<FileRequest>>> notes,
      CompletionPort<List<Ended>> port) {
    this.transaction = transaction;
    this.members = members;
    this.notes = notes;
    this.port = port;
  }

  /**
   * Begins.
   *
   * @param notes what is noted about the requests when they are done; what it refuses fails the
   *     group
   */
  static void begin(
      FileManager files,
      List<Member> members,
      Function<List<Ended>, Completion<List<FileRequest>>> notes,
      CompletionPort<List<Ended>> port) {
    if (members.stream().noneMatch(member -> member.work() instanceof Work.Range)) {
      batch(files, members, notes, port);
      return;
    }
    files.begin(
        begun -> {
          switch (begun) {
            case Completion.Failed<FileTransaction> failed -> {
              members.forEach(member -> member.work().discard());
              port.complete(failed.cast());
            }
            case Completion.Done<FileTransaction>(FileTransaction transaction) ->
                new GroupChange(transaction, members, notes, port).next();
          }
        });
  }

  /** Without ranges one batch does, and is cheaper: it is planned once, and locks nothing. */
  private static void batch(
      FileManager files,
      List<Member> members,
      Function<List<Ended>, Completion<List<FileRequest>>> notes,
      CompletionPort<List<Ended>> port) {
    List<FileRequest> requests = new ArrayList<>();
    for (Member member : members) {
      if (member.work() instanceof Work.Changes(List<FileRequest> more)) {
        requests.addAll(more);
      }
    }
    Planned planned = new Planned();
    files.batch(
        requests,
        result -> {
          planned.ended = ended(members, result);
          return notes.apply(planned.ended);
        },
        Durability.ASYNC,
        done -> port.complete(done.map(_ -> planned.ended)));
  }

  /** What a batch would end with, as it was planned last: so it was noted, and so it ends. */
  private static final class Planned {
    private List<Ended> ended = List.of();
  }

  private static List<Ended> ended(List<Member> members, BatchResult result) {
    List<Ended> ended = new ArrayList<>();
    int at = 0;
    for (Member member : members) {
      Asked request = member.request();
      switch (member.work()) {
        case Work.Changes(List<FileRequest> requests) -> {
          FileVersion file = last(result, at, at + requests.size());
          ended.add(new Ended(request, new Outcome(request.sequence(), file, null)));
          at += requests.size();
        }
        case Work.Impossible(Failure why) ->
            ended.add(
                new Ended(
                    request,
                    new Outcome(request.sequence(), Outcome.NOTHING, Reply.Failed.of(why))));
        case Work.Range _, Work.Large _ ->
            throw new IllegalStateException("no member of a batch: " + request.origin());
      }
    }
    return ended;
  }

  private void next() {
    if (ended.size() == members.size()) {
      note();
      return;
    }
    Member member = members.get(ended.size());
    switch (member.work()) {
      case Work.Changes _ -> changes();
      case Work.Range range -> range(member.request(), range);
      case Work.Impossible(Failure why) -> {
        over(member.request(), Outcome.NOTHING, Reply.Failed.of(why));
        next();
      }
      case Work.Large _ -> throw new IllegalStateException("content that nobody has brought");
    }
  }

  /** All that are changes from here on, as one batch. */
  private void changes() {
    List<FileRequest> requests = new ArrayList<>();
    List<Member> together = new ArrayList<>();
    for (Member member : members.subList(ended.size(), members.size())) {
      if (!(member.work() instanceof Work.Changes(List<FileRequest> more))) {
        break;
      }
      requests.addAll(more);
      together.add(member);
    }
    transaction.batch(
        requests,
        port(
            result -> {
              int at = 0;
              for (Member member : together) {
                int count = ((Work.Changes) member.work()).requests().size();
                over(member.request(), last(result, at, at + count), null);
                at += count;
              }
              next();
            }));
  }

  private void range(Asked request, Work.Range range) {
    OpenMode mode = range.offset() < 0 ? OpenMode.CREATE : OpenMode.EXISTING;
    transaction.open(
        range.path(),
        mode,
        port(
            handle -> {
              CompletionPort<Unit> written = handlePort(handle, _ -> close(request, handle));
              if (range.offset() < 0) {
                handle.append(ByteBuffer.wrap(range.bytes()), written);
              } else {
                handle.write(range.offset(), ByteBuffer.wrap(range.bytes()), written);
              }
            }));
  }

  private void close(Asked request, FileHandle handle) {
    handle.close(
        handlePort(
            handle,
            _ -> {
              over(request, handle.info().fileVersion(), null);
              next();
            }));
  }

  private void note() {
    switch (notes.apply(ended)) {
      case Completion.Failed<List<FileRequest>>(Failure why) -> giveUp(why);
      case Completion.Done<List<FileRequest>>(List<FileRequest> properties) ->
          transaction.batch(
              properties,
              port(
                  _ ->
                      transaction.commit(
                          Durability.ASYNC, port(_ -> port.complete(Completion.done(ended))))));
    }
  }

  private void over(Asked request, FileVersion file, Reply.@Nullable Failed why) {
    ended.add(new Ended(request, new Outcome(request.sequence(), file, why)));
  }

  private static FileVersion last(BatchResult result, int from, int to) {
    FileVersion last = Outcome.NOTHING;
    for (Optional<FileInfo> file : result.files().subList(from, to)) {
      last = file.isPresent() ? file.get().fileVersion() : last;
    }
    return last;
  }

  private <T> CompletionPort<T> port(Consumer<T> next) {
    return completion -> {
      switch (completion) {
        case Completion.Done<T>(T value) -> next.accept(value);
        case Completion.Failed<T>(Failure failure) -> giveUp(failure);
      }
    };
  }

  private <T> CompletionPort<T> handlePort(FileHandle handle, Consumer<T> next) {
    return completion -> {
      if (completion instanceof Completion.Failed<T>) {
        handle.abandon();
      }
      this.<T>port(next).complete(completion);
    };
  }

  private void giveUp(Failure failure) {
    transaction.rollback();
    port.complete(Completion.failed(failure));
  }
}
