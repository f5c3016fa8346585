package dev.upcall.cli.table;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.upcall.UpcallException;
import dev.upcall.cli.option.CommandFailure;
import dev.upcall.completion.Completion;
import dev.upcall.content.Texts;
import java.io.IOException;
import java.util.HexFormat;
import picocli.CommandLine.Option;

/** How keys and values stand on the command line and in results: as text, or in hexadecimal. */
final class EntryText {
  @Option(
      names = "--hex",
      description =
          "Keys and values are hexadecimal; otherwise they are text, and in results hexadecimal"
              + " behind 0x where they are no text.")
  boolean hex;

  /** The bytes of an argument. */
  byte[] bytes(String argument) {
    if (!hex) {
      return UpcallException.value(Texts.encode("an entry", argument));
    }
    try {
      return HexFormat.of().parseHex(argument);
    } catch (IllegalArgumentException wrong) {
      throw CommandFailure.usage(argument + " is not hexadecimal: " + wrong.getMessage());
    }
  }

  /** For a person. */
  String shown(byte[] bytes) {
    if (hex) {
      return HexFormat.of().formatHex(bytes);
    }
    return switch (Texts.decode("an entry", bytes)) {
      case Completion.Done<String>(String text) -> text;
      case Completion.Failed<String> _ -> "0x" + HexFormat.of().formatHex(bytes);
    };
  }

  /** A field, whose name says if it is in hexadecimal. */
  void write(JsonGenerator json, String name, byte[] bytes) throws IOException {
    if (!hex && Texts.decode("an entry", bytes) instanceof Completion.Done<String>(String text)) {
      json.writeStringField(name, text);
    } else {
      json.writeStringField(name + "Hex", HexFormat.of().formatHex(bytes));
    }
  }
}
