package dev.upcall.cli.queue;

import dev.upcall.Existence;
import dev.upcall.Expiry;
import dev.upcall.FileContent;
import dev.upcall.FileVersion;
import dev.upcall.MetadataChange;
import dev.upcall.Parents;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.UpcallException;
import dev.upcall.cli.host.HostInput;
import dev.upcall.cli.host.StoreFiles;
import dev.upcall.cli.option.CommandFailure;
import dev.upcall.cli.option.Durations;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.cli.option.HelpOption;
import dev.upcall.cli.option.Sizes;
import dev.upcall.journal.entry.Entry;
import dev.upcall.journal.entry.FailureCode;
import dev.upcall.journal.entry.Reply;
import dev.upcall.journal.producer.Producer;
import dev.upcall.journal.producer.Receipt;
import dev.upcall.journal.producer.Replies;
import dev.upcall.journal.queue.QueueDirectory;
import dev.upcall.journal.queue.QueueException;
import dev.upcall.request.FileRequest;
import dev.upcall.request.codec.Submission;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code upcall submit}: asks a store for something through a queue, without opening the store. */
@Command(
    name = "submit",
    description = {
      "Put a request into a queue, for a store that may be down.",
      "It is done, once, when a store is served with --queue; what failed is among the dead letters"
          + " (upcall queue dead).",
    })
public final class SubmitCommand {
  /** The most bytes of standard input or a pipe, whose size must be known before it is put in. */
  private static final int MAX_INPUT_BYTES = 16 << 20;

  /** How long another command is waited for, as for a store that is in use. */
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  private static final long LOOK_NANOS = 20_000_000;

  @Mixin HelpOption help = new HelpOption();

  private final Surroundings around;

  /** A command. */
  public SubmitCommand(Surroundings around) {
    this.around = around;
  }

  @Command(name = "put", description = "Make or replace a whole file.")
  int put(
      @Mixin SubmitOptions options,
      @Parameters(index = "0", paramLabel = "FILE|-", description = "Its content.") String source,
      @Parameters(index = "1", paramLabel = "/path", description = "The file.") String path,
      @Option(names = "--new", description = "Fail when something is there.") boolean onlyNew,
      @Option(
              names = {"-p", "--parents"},
              description = "Make missing directories.")
          boolean parents,
      @Option(
              names = "--ttl",
              paramLabel = "TIME",
              converter = Durations.class,
              description = "Delete it so long after it was made: 90s, 15m, 1h, 30d.")
          @Nullable Duration timeToLive)
      throws IOException {
    PutOptions kept = parents ? PutOptions.WITH_PARENTS : PutOptions.DEFAULT;
    PutOptions with = timeToLive == null ? kept : kept.withExpiry(Expiry.after(timeToLive));
    PutOptions put = onlyNew ? with.withExistence(Existence.MUST_NOT_EXIST) : with;
    LongFunction<Submission> request =
        size -> Submission.of(new FileRequest.Put(path, new FileContent.Following(size), put));
    if (HostInput.isStandard(source) || !Files.isRegularFile(file(options, source))) {
      byte[] content = read(options, source, MAX_INPUT_BYTES);
      return submit(
          options, () -> request.apply(content.length), new ByteArrayInputStream(content));
    }
    Path file = file(options, source);
    long size = Files.size(file);
    try (InputStream content = Files.newInputStream(file)) {
      return submit(options, () -> request.apply(size), content);
    }
  }

  @Command(name = "append", description = "Write at the end of a file, at most 256 KiB.")
  int append(
      @Mixin SubmitOptions options,
      @Parameters(index = "0", paramLabel = "FILE|-", description = "The content.") String source,
      @Parameters(index = "1", paramLabel = "/path", description = "The file.") String path)
      throws IOException {
    byte[] content = read(options, source, Entry.MAX_BODY_BYTES);
    return submit(options, () -> new Submission.Append(parsed(path), content));
  }

  @Command(
      name = "splice",
      description = "Put bytes into the middle of a file, or in the place of others; 256 KiB.")
  int splice(
      @Mixin SubmitOptions options,
      @Parameters(index = "0", paramLabel = "/path", description = "The file.") String path,
      @Parameters(index = "1", paramLabel = "FILE|-", description = "The bytes.") String source,
      @Option(
              names = "--offset",
              paramLabel = "SIZE",
              converter = Sizes.class,
              required = true,
              description = "Where in the file.")
          long offset,
      @Option(
              names = "--remove",
              paramLabel = "SIZE",
              converter = Sizes.class,
              defaultValue = "0",
              description = "So many bytes from there on give way; default: none.")
          long removed)
      throws IOException {
    byte[] content = read(options, source, Entry.MAX_BODY_BYTES);
    return submit(
        options, () -> Submission.of(new FileRequest.Splice(path, offset, removed, content)));
  }

  @Command(name = "rm", description = "Delete a file, a link or an empty directory.")
  int remove(
      @Mixin SubmitOptions options,
      @Parameters(index = "0", paramLabel = "/path", description = "What.") String path,
      @Option(
              names = {"-r", "--recursive"},
              description = "With all below it.")
          boolean recursive)
      throws IOException {
    return submit(
        options,
        () ->
            Submission.of(
                recursive ? new FileRequest.DeleteTree(path) : new FileRequest.Delete(path)));
  }

  @Command(name = "mv", description = "Rename a file, a link or a directory.")
  int move(
      @Mixin SubmitOptions options,
      @Parameters(index = "0", paramLabel = "/from", description = "What.") String from,
      @Parameters(index = "1", paramLabel = "/to", description = "The new path.") String to,
      @Option(names = "--replace", description = "What is there gives way.") boolean replace)
      throws IOException {
    return submit(options, () -> Submission.of(new FileRequest.Rename(from, to, target(replace))));
  }

  @Command(
      name = "clone",
      description = "Copy a file at once, whatever its size: both share what neither has changed.")
  int cloneFile(
      @Mixin SubmitOptions options,
      @Parameters(index = "0", paramLabel = "/from", description = "What.") String from,
      @Parameters(index = "1", paramLabel = "/to", description = "The copy.") String to,
      @Option(names = "--replace", description = "What is there gives way.") boolean replace)
      throws IOException {
    return submit(options, () -> Submission.of(new FileRequest.Clone(from, to, target(replace))));
  }

  @Command(name = "mkdir", description = "Make a directory.")
  int makeDirectory(
      @Mixin SubmitOptions options,
      @Parameters(index = "0", paramLabel = "/path", description = "The directory.") String path,
      @Option(
              names = {"-p", "--parents"},
              description = "Make missing ones on the way; one that is there is fine.")
          boolean parents)
      throws IOException {
    Parents missing = parents ? Parents.MAKE : Parents.MUST_EXIST;
    return submit(
        options,
        () -> Submission.of(new FileRequest.CreateDirectory(path, missing, MetadataChange.NONE)));
  }

  private static Existence target(boolean replace) {
    return replace ? Existence.ANY : Existence.MUST_NOT_EXIST;
  }

  private static StorePath parsed(String path) {
    return UpcallException.value(StorePath.parse(path));
  }

  /** Content that must be known before it is put in. */
  private byte[] read(SubmitOptions options, String source, int mostBytes) throws IOException {
    if (HostInput.isStandard(source)) {
      return read(around.in(), "standard input", mostBytes);
    }
    try (InputStream from = Files.newInputStream(file(options, source))) {
      return read(from, source, mostBytes);
    }
  }

  private static byte[] read(InputStream from, String name, int mostBytes) throws IOException {
    byte[] content = from.readNBytes(mostBytes + 1);
    if (content.length > mostBytes) {
      throw CommandFailure.usage(
          "%s has more than %d KiB: at most that many may be put in so"
              .formatted(name, mostBytes >> 10));
    }
    return content;
  }

  private Path file(SubmitOptions options, String source) throws IOException {
    HostInput.check(source);
    Path file = around.directory().resolve(source);
    if (Files.isDirectory(file)) {
      throw CommandFailure.usage(source + " is a directory; a request has the content of one file");
    }
    StoreFiles.checkQueued(file, around.directory().resolve(options.queue));
    return file;
  }

  private int submit(SubmitOptions options, Supplier<Submission> request) throws IOException {
    return submit(options, request, InputStream.nullInputStream());
  }

  private int submit(SubmitOptions options, Supplier<Submission> request, InputStream content)
      throws IOException {
    Submission checked;
    try {
      checked = request.get();
    } catch (IllegalArgumentException | UpcallException.Invalid wrong) {
      throw CommandFailure.usage(String.valueOf(wrong.getMessage()));
    }
    QueueFlags.require();
    Path queue = around.directory().resolve(options.queue);
    if (!options.create) {
      requireQueue(queue);
    }
    try (Producer producer = open(queue, options)) {
      Receipt receipt = producer.submit(checked, content);
      if (options.sync) {
        producer.sync();
      }
      Reply.@Nullable Done done =
          options.await == null ? null : await(producer, receipt, options.await);
      report(options, producer, receipt, done);
    } catch (IllegalArgumentException wrong) {
      throw CommandFailure.usage(String.valueOf(wrong.getMessage()));
    }
    return ExitCode.OK;
  }

  /** A queue of a mistyped name would be served by nobody. */
  private static void requireQueue(Path queue) throws QueueException {
    try {
      QueueDirectory.open(queue);
    } catch (QueueException none) {
      if (!(none.getCause() instanceof NoSuchFileException)) {
        throw none;
      }
      throw CommandFailure.failed(queue + " is no queue; serve --queue makes it, or give --create");
    }
  }

  /** Waits a moment for another command that has the producer: it is soon done. */
  private Producer open(Path queue, SubmitOptions options) throws IOException {
    long begunNanos = System.nanoTime();
    while (true) {
      try {
        return Producer.open(queue, options.producer, options.maxBytes);
      } catch (QueueException inUse) {
        if (inUse.reason() != QueueException.Reason.IN_USE
            || Thread.currentThread().isInterrupted()
            || System.nanoTime() - begunNanos > PATIENCE.toNanos()) {
          throw inUse;
        }
      }
      LockSupport.parkNanos(this, LOOK_NANOS);
    }
  }

  /** Fails as the same request does that is asked of the store itself. */
  private static Reply.Done await(Producer producer, Receipt receipt, Duration atMost)
      throws IOException {
    try (Replies replies = producer.replies()) {
      Reply reply = replies.await(receipt.sequence(), atMost).orElse(null);
      if (reply == null) {
        throw CommandFailure.failed(
            "request %d is in the queue, but not done within %d s"
                .formatted(receipt.sequence(), atMost.toSeconds()));
      }
      return switch (reply.result()) {
        case Reply.Done done -> done;
        case Reply.Failed(FailureCode code, String message) ->
            throw CommandFailure.failed(FailureText.kind(code), message);
      };
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw CommandFailure.failed(
          "stopped while request %d is in the queue".formatted(receipt.sequence()));
    }
  }

  private void report(
      SubmitOptions options, Producer producer, Receipt receipt, Reply.@Nullable Done done)
      throws IOException {
    if (!options.output.json) {
      if (done == null) {
        around.err().println("upcall: in the queue as request " + receipt.sequence());
      }
      return;
    }
    around.json(
        json -> {
          json.writeStringField("producer", producer.id().toString());
          json.writeNumberField("sequence", receipt.sequence());
          json.writeBooleanField("synced", options.sync);
          if (done != null) {
            json.writeBooleanField("done", true);
            FileVersion file = done.file().orElse(null);
            if (file != null) {
              json.writeNumberField("id", file.id());
              json.writeNumberField("version", file.version());
            }
          }
        });
  }
}
