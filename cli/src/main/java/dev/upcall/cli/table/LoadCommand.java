package dev.upcall.cli.table;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.upcall.MetadataChange;
import dev.upcall.Parents;
import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.cli.option.CommandFailure;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.cli.option.JsonDocument;
import dev.upcall.cli.shell.Shell;
import dev.upcall.content.Texts;
import dev.upcall.request.Change;
import dev.upcall.request.Expect;
import dev.upcall.request.FileRequest;
import dev.upcall.request.TableRequest;
import dev.upcall.store.Durability;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code upcall table load}. */
@Command(
    name = "load",
    description = {
      "Put entries from lines of JSON, as dump writes them; other entries stay.",
      "It is durable when it is over. When it ends early, the lines before are there, as far as it"
          + " says.",
    })
final class LoadCommand extends TableChanges.OfTable {
  /** So many entries are one commit, if they are not too large. */
  private static final int AT_ONCE = 1000;

  private static final int BYTES_AT_ONCE = 128 << 10;
  private static final JsonFactory JSON = new JsonFactory();

  @Parameters(index = "1", paramLabel = "FILE|-", description = "The lines; - is standard input.")
  String source = "";

  @Option(names = "--create", description = "Make the table if there is none.")
  boolean create;

  private InputStream content = InputStream.nullInputStream();
  private final List<FileRequest> collected = new ArrayList<>();
  private int collectedBytes;
  private long loaded;

  LoadCommand(Shell shell) {
    super(shell);
  }

  @Override
  protected Shell given() throws IOException {
    Shell reading = shell.reading(source);
    content = reading.in();
    return reading;
  }

  @Override
  protected int run(Upcall store) throws IOException {
    if (create && !store.exists(at())) {
      store.change(new TableRequest.CreateTable(at(), Parents.MUST_EXIST, MetadataChange.NONE));
    }
    check(store);
    try (BufferedReader lines = // of bytes, so that what is no text is refused in its line
        new BufferedReader(new InputStreamReader(content, StandardCharsets.ISO_8859_1))) {
      long number = 0;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        shell.stop().endIfAsked();
        number++;
        if (!line.isBlank()) {
          add(store, entry(line, number));
        }
      }
      commit(store);
      store.flush();
    } catch (CommandFailure | UpcallException | IOException failed) {
      throw CommandFailure.of(failed, loaded + " entries are loaded");
    }
    if (output.json) {
      JsonDocument.write(
          shell.out(),
          json -> {
            json.writeStringField("path", at().toString());
            json.writeNumberField("loaded", loaded);
          });
    }
    say(loaded + " entries loaded");
    return ExitCode.OK;
  }

  /** The content of a line. */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares entries
  private record Entry(byte[] key, byte[] value) {}

  private void add(Upcall store, Entry entry) {
    if (entry.value().length > Change.Write.SMALL_BYTES) {
      commit(store);
      store.write(at().entry(entry.key()), entry.value());
      loaded++;
      return;
    }
    collected.add(TableRequest.put(at(), entry.key(), entry.value(), Expect.ANY));
    collectedBytes += entry.key().length + entry.value().length;
    if (collected.size() == AT_ONCE || collectedBytes >= BYTES_AT_ONCE) {
      commit(store);
    }
  }

  private void commit(Upcall store) {
    if (!collected.isEmpty()) {
      store.batch(collected, Durability.ASYNC);
      loaded += collected.size();
      collected.clear();
      collectedBytes = 0;
    }
  }

  private static Entry entry(String line, long number) {
    byte[] bytes = line.getBytes(StandardCharsets.ISO_8859_1);
    try (JsonParser json = JSON.createParser(UpcallException.value(Texts.decode("it", bytes)))) {
      byte @Nullable [] key = null;
      byte @Nullable [] value = null;
      expect(json.nextToken() == JsonToken.START_OBJECT, number, "no object");
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String name = json.currentName();
        expect(
            !name.equals("leftOutBytes"),
            number,
            "the value was too large to be dumped; put it with table put --from");
        expect(json.nextToken() == JsonToken.VALUE_STRING, number, name + " is no text");
        String text = json.getText();
        switch (name) {
          case "key", "keyHex" -> {
            expect(key == null, number, "two keys");
            key = bytes(name, text);
          }
          case "value", "valueHex" -> {
            expect(value == null, number, "two values");
            value = bytes(name, text);
          }
          default -> throw failed(number, name + " is not known");
        }
      }
      expect(json.currentToken() == JsonToken.END_OBJECT, number, "no object");
      expect(json.nextToken() == null, number, "something behind the object");
      if (key == null || value == null) {
        throw failed(number, "a key and a value are needed");
      }
      TableRequest.checkKey(key);
      return new Entry(key, value);
    } catch (JacksonException | IllegalArgumentException | UpcallException wrong) {
      throw failed(number, String.valueOf(wrong.getMessage()).lines().findFirst().orElse(""));
    } catch (IOException impossible) {
      throw failed(number, String.valueOf(impossible.getMessage()));
    }
  }

  private static byte[] bytes(String name, String text) {
    return name.endsWith("Hex")
        ? HexFormat.of().parseHex(text)
        : UpcallException.value(Texts.encode("an entry", text));
  }

  private static void expect(boolean is, long line, String otherwise) {
    if (!is) {
      throw failed(line, otherwise);
    }
  }

  private static CommandFailure failed(long line, String reason) {
    return CommandFailure.failed("Invalid", "line %d: %s".formatted(line, reason));
  }
}
