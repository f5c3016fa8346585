package dev.upcall.cli.queue;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.upcall.UpcallReads;
import dev.upcall.cli.option.CommandFailure;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.cli.option.HelpOption;
import dev.upcall.cli.option.KeyOptions;
import dev.upcall.cli.option.OutputOptions;
import dev.upcall.journal.entry.DeadLetter;
import dev.upcall.journal.producer.Producer;
import dev.upcall.journal.producer.Receipt;
import dev.upcall.journal.queue.ChronicleEntries;
import dev.upcall.journal.queue.DeadLetters;
import dev.upcall.journal.queue.DeadLetters.Letter;
import dev.upcall.journal.queue.Entries;
import dev.upcall.journal.queue.QueueDirectory;
import dev.upcall.journal.queue.QueueException;
import dev.upcall.journal.queue.QueueUsage;
import dev.upcall.journal.queue.StoredEntries;
import dev.upcall.request.codec.Submission;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code upcall queue}: what is in a queue, and what to do with requests that failed for good. */
@Command(
    name = "queue",
    description = {
      "Look at a queue of requests, and at those that failed for good, its dead letters.",
      "No store is needed; one may be served from the queue meanwhile.",
    })
public final class QueueCommand {
  private static final int HEXADECIMAL = 16;

  @Mixin HelpOption help = new HelpOption();

  private final Surroundings around;
  private final Stores stores;

  /** The way to a store, in the process that has it open, or opened to be read. */
  public interface Stores {
    /**
     * Does something with it; returns the exit code.
     *
     * @param key its own, where it is encrypted and has to be opened
     * @param queue a folder of the host's that is looked at, too
     */
    int with(Path store, KeyOptions key, Path queue, Work work) throws IOException;
  }

  /** Something that is done with a store. */
  public interface Work {
    /** Does it; returns the exit code. */
    int run(UpcallReads store) throws IOException;
  }

  /** A command. */
  public QueueCommand(Surroundings around, Stores stores) {
    this.around = around;
    this.stores = stores;
  }

  @Command(
      name = "info",
      description = "Which queue it is, what it takes, and who puts requests in.")
  int info(
      @Mixin OutputOptions output,
      @Parameters(index = "0", paramLabel = "DIR", description = "The queue.") Path queue,
      @Option(
              names = "--store",
              paramLabel = "PATH",
              description = "Also how far that store has done the requests, and what is left.")
          @Nullable Path store,
      @Mixin KeyOptions key)
      throws IOException {
    if (store == null) {
      return info(output, look(queue), null);
    }
    return stores.with(
        store,
        key,
        queue,
        opened -> {
          QueueDirectory directory = look(queue);
          return info(output, directory, Remainder.of(directory, opened));
        });
  }

  private int info(OutputOptions output, QueueDirectory directory, @Nullable Remainder remainder)
      throws IOException {
    QueueUsage requests = ChronicleEntries.usage(directory.requests());
    QueueUsage replies = ChronicleEntries.usage(directory.replies());
    SortedMap<UUID, String> producers = directory.producerNames();
    int dead = stored(directory).size();
    if (output.json) {
      around.json(
          json -> {
            json.writeStringField("queue", directory.id().toString());
            json.writeNumberField("generation", directory.generation());
            usage(json, "requests", requests);
            usage(json, "replies", replies);
            json.writeNumberField("deadLetters", dead);
            if (remainder != null) {
              remainder.write(json);
            }
            json.writeArrayFieldStart("producers");
            for (Map.Entry<UUID, String> producer : producers.entrySet()) {
              json.writeStartObject();
              json.writeStringField("producer", producer.getKey().toString());
              json.writeStringField("name", producer.getValue());
              json.writeEndObject();
            }
            json.writeEndArray();
          });
      return ExitCode.OK;
    }
    line("queue", directory.id() + ", generation " + directory.generation());
    line("requests", usage(requests));
    line("replies", usage(replies));
    line("dead letters", Integer.toString(dead));
    if (remainder != null) {
      line("done", remainder.position());
      line("backlog", remainder.backlog());
    }
    for (Map.Entry<UUID, String> producer : producers.entrySet()) {
      line("producer", producer.getKey() + " " + around.printable().apply(producer.getValue()));
    }
    return ExitCode.OK;
  }

  @Command(
      name = "dead",
      description =
          "List the requests that failed for good, oldest first: number, failure, request.")
  int dead(
      @Mixin OutputOptions output,
      @Parameters(index = "0", paramLabel = "DIR", description = "The queue.") Path queue)
      throws IOException {
    QueueDirectory directory = look(queue);
    SortedMap<UUID, String> producers = directory.producerNames();
    List<Letter> found = stored(directory);
    if (output.json) {
      around.json(
          json -> {
            json.writeArrayFieldStart("deadLetters");
            for (Letter letter : found) {
              write(json, letter);
            }
            json.writeEndArray();
          });
      return ExitCode.OK;
    }
    for (Letter letter : found) {
      DeadLetter of = letter.letter();
      String text =
          "%s  %s  request %d of %s: %s"
              .formatted(
                  number(letter),
                  of.failure().message(),
                  of.origin().sequence(),
                  producers.getOrDefault(of.origin().producer(), of.origin().producer().toString()),
                  request(letter));
      around.out().println(around.printable().apply(text));
    }
    return ExitCode.OK;
  }

  @Command(
      name = "retry",
      description = {
        "Put a request that failed for good in again, as a new one, and drop it from the dead"
            + " letters.",
        "Killed in between, it has done the first and not the second.",
      })
  int retry(
      @Mixin OutputOptions output,
      @Parameters(index = "0", paramLabel = "DIR", description = "The queue.") Path queue,
      @Parameters(index = "1", paramLabel = "NUMBER", description = "As queue dead lists it.")
          String number,
      @Option(
              names = "--producer",
              paramLabel = "NAME",
              defaultValue = "retry",
              description = "Who asks now. Default: retry.")
          String name)
      throws IOException {
    QueueDirectory directory = open(queue);
    try (DeadLetters letters = letters(directory);
        Producer producer =
            Producer.open(around.directory().resolve(queue), name, Long.MAX_VALUE)) {
      Letter letter = find(letters, number);
      Submission whole = letters.whole(letter).orElse(null);
      if (whole == null) {
        throw CommandFailure.failed(
            "of dead letter " + number + " the content was not kept; put it in anew");
      }
      Receipt receipt = producer.submit(whole);
      letters.drop(List.of(letter));
      if (output.json) {
        around.json(
            json -> {
              json.writeStringField("producer", producer.id().toString());
              json.writeNumberField("sequence", receipt.sequence());
            });
      } else {
        around.err().println("upcall: in the queue as request " + receipt.sequence());
      }
    } catch (IllegalArgumentException wrong) {
      throw CommandFailure.usage(String.valueOf(wrong.getMessage()));
    }
    return ExitCode.OK;
  }

  @Command(name = "drop", description = "Drop dead letters; files that hold no others are removed.")
  int drop(
      @Mixin OutputOptions output,
      @Parameters(index = "0", paramLabel = "DIR", description = "The queue.") Path queue,
      @Parameters(
              index = "1",
              arity = "0..1",
              paramLabel = "NUMBER",
              description = "As queue dead lists it.")
          @Nullable String number,
      @Option(names = "--all", description = "All of them.") boolean all)
      throws IOException {
    if (all == (number != null)) {
      throw CommandFailure.usage("name one dead letter, or say --all");
    }
    QueueDirectory directory = open(queue);
    int dropped;
    try (DeadLetters letters = letters(directory)) {
      List<Letter> which = number == null ? letters.list() : List.of(find(letters, number));
      letters.drop(which);
      dropped = which.size();
    }
    if (output.json) {
      around.json(json -> json.writeNumberField("dropped", dropped));
    }
    return ExitCode.OK;
  }

  /** A queue that is only read. */
  private QueueDirectory look(Path queue) throws QueueException {
    return QueueDirectory.open(around.directory().resolve(queue));
  }

  /** A queue that is changed, too. */
  private QueueDirectory open(Path queue) throws QueueException {
    QueueFlags.require();
    return look(queue);
  }

  private static List<Letter> stored(QueueDirectory directory) throws QueueException {
    try (Entries letters = StoredEntries.of(directory.deadLetters(), System::currentTimeMillis)) {
      return DeadLetters.list(letters);
    }
  }

  private static DeadLetters letters(QueueDirectory directory) throws QueueException {
    return new DeadLetters(
        ChronicleEntries.open(directory.deadLetters(), Long.MAX_VALUE, System::currentTimeMillis));
  }

  private static Letter find(DeadLetters letters, String number) throws QueueException {
    for (Letter letter : letters.list()) {
      if (number(letter).equals(number)) {
        return letter;
      }
    }
    throw CommandFailure.failed("there is no dead letter " + number);
  }

  private static String number(Letter letter) {
    return Long.toString(letter.index(), HEXADECIMAL);
  }

  private static String request(Letter letter) {
    return letter.submission().map(QueueCommand::text).orElse("not kept");
  }

  private static String text(Submission submission) {
    long bytes = submission.contentBytes();
    return submission.purpose() + (bytes == 0 ? "" : ", %d bytes".formatted(bytes));
  }

  private static void write(JsonGenerator json, Letter letter) throws IOException {
    DeadLetter of = letter.letter();
    json.writeStartObject();
    json.writeStringField("number", number(letter));
    json.writeStringField("producer", of.origin().producer().toString());
    json.writeNumberField("sequence", of.origin().sequence());
    json.writeStringField("error", of.failure().message());
    json.writeStringField("kind", FailureText.kind(of.failure().code()));
    Submission submission = letter.submission().orElse(null);
    if (submission != null) {
      json.writeStringField("request", text(submission));
      json.writeNumberField("contentBytes", submission.contentBytes());
    }
    json.writeBooleanField("whole", of.isWhole());
    json.writeEndObject();
  }

  private static void usage(JsonGenerator json, String name, QueueUsage usage) throws IOException {
    json.writeObjectFieldStart(name);
    json.writeNumberField("queueFiles", usage.files());
    json.writeNumberField("queueBytes", usage.bytes());
    json.writeEndObject();
  }

  private static String usage(QueueUsage usage) {
    return "%d bytes in %d files".formatted(usage.bytes(), usage.files());
  }

  private void line(String name, String value) {
    around.out().printf("%-14s%s%n", name, value);
  }
}
