package dev.upcall.fileman.plan;

import dev.upcall.completion.Failure;
import dev.upcall.completion.Refused;
import dev.upcall.content.Texts;
import dev.upcall.request.FileRequest;

/** Names of properties. */
final class Properties {
  private Properties() {}

  /** The key of a property; refuses a name that is none. */
  static byte[] key(String name) {
    byte[] key = Texts.utf8(name).orElse(null);
    if (key == null
        || key.length == 0
        || key.length > FileRequest.MAX_PROPERTY_NAME_BYTES
        || name.indexOf('\0') >= 0) {
      throw new Refused(
          new Failure.Invalid(
              "a property's name is well-formed text of 1 to %d bytes without NUL"
                  .formatted(FileRequest.MAX_PROPERTY_NAME_BYTES)));
    }
    return key;
  }
}
