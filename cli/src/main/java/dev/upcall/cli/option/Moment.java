package dev.upcall.cli.option;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.upcall.store.OpeningReport;
import java.io.IOException;
import java.util.function.Consumer;

/** Which moment a store shows that was opened to read what is left of it. */
public final class Moment {
  private Moment() {}

  /** Says what is missing, and one line of the moment if it is, or may be, not the newest. */
  public static void warn(OpeningReport opening, Consumer<String> say) {
    for (String finding : opening.findings()) {
      say.accept("warning: " + finding);
    }
    String shows = "it shows the store as of change " + opening.scn() + lastChanged(opening);
    switch (opening.age()) {
      case NEWEST -> {}
      case OLDER ->
          say.accept("older than the newest: " + shows + "; newer changes cannot be read any more");
      case PERHAPS_OLDER ->
          say.accept(
              "perhaps older than the newest: "
                  + shows
                  + "; of newer changes there are traces, which were not acknowledged or are lost");
    }
  }

  /** The field of a document that says the same; none where nothing is missing. */
  public static void write(JsonGenerator json, OpeningReport opening) throws IOException {
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
