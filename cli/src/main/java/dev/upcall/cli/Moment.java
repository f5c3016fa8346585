package dev.upcall.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.upcall.cli.option.Printable;
import dev.upcall.store.OpeningReport;
import java.io.IOException;

/** Which moment a store shows that was opened to read what is left of it. */
final class Moment {
  private Moment() {}

  /** Says what is missing, and one line of the moment if it is, or may be, not the newest. */
  static void warn(OpeningReport opening, Shell shell) {
    for (String finding : opening.findings()) {
      shell.say("warning: " + Printable.of(finding));
    }
    String shows = "it shows the store as of change " + opening.scn() + lastChanged(opening);
    switch (opening.age()) {
      case NEWEST -> {}
      case OLDER ->
          shell.say("older than the newest: " + shows + "; newer changes cannot be read any more");
      case PERHAPS_OLDER ->
          shell.say(
              "perhaps older than the newest: "
                  + shows
                  + "; of newer changes there are traces, which were not acknowledged or are lost");
    }
  }

  /** The field of a document that says the same; none where nothing is missing. */
  static void write(JsonGenerator json, OpeningReport opening) throws IOException {
    if (opening.findings().isEmpty()) {
      return;
    }
    json.writeObjectFieldStart("opening");
    json.writeNumberField("scn", opening.scn());
    json.writeStringField(
        "age",
        switch (opening.age()) {
          case NEWEST -> "newest";
          case PERHAPS_OLDER -> "perhaps older";
          case OLDER -> "older";
        });
    if (opening.changedNanos() != 0) {
      json.writeStringField("lastChanged", Json.time(opening.changedNanos()));
    }
    json.writeArrayFieldStart("findings");
    for (String finding : opening.findings()) {
      json.writeString(finding);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static String lastChanged(OpeningReport opening) {
    return opening.changedNanos() == 0
        ? ""
        : ", last changed at " + Json.time(opening.changedNanos());
  }
}
