package dev.upcall.httpd.answer;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.upcall.base.Printable;
import dev.upcall.httpd.Refusal;
import java.nio.charset.StandardCharsets;

/** What a refusal says behind its head, for people and for programs. */
final class RefusalBody {
  private RefusalBody() {}

  /** One line. */
  static byte[] text(Refusal refusal) {
    return (Printable.of(refusal.sentence()) + '\n').getBytes(StandardCharsets.UTF_8);
  }

  /** One object: the sentence and the status. */
  static byte[] json(Refusal refusal) {
    StringBuilder object = new StringBuilder("{\"error\":\"");
    JsonStringEncoder.getInstance().quoteAsString(refusal.sentence(), object);
    object.append("\",\"status\":").append(refusal.status().code()).append("}\n");
    return object.toString().getBytes(StandardCharsets.UTF_8);
  }
}
