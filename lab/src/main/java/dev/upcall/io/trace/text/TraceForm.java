package dev.upcall.io.trace.text;

import dev.upcall.io.trace.TraceHeader;
import dev.upcall.io.trace.TraceOutput;
import dev.upcall.io.trace.TraceReader;
import dev.upcall.io.trace.TraceSource;
import dev.upcall.io.trace.TraceTarget;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/** The forms in which traces are read and written. */
public enum TraceForm {
  /** Ours: all that is known of a request. */
  UPCALL("upcall"),
  /** fio's log of version 2, with waits between requests. */
  IOLOG_2("iolog2"),
  /** fio's log of version 3, with a time for each. */
  IOLOG_3("iolog3"),
  /** The text that blkparse makes of blktrace's files. */
  BLKPARSE("blkparse");

  private static final int HEAD_BYTES = 64;

  private final String word;

  TraceForm(String word) {
    this.word = word;
  }

  /** Its name for people. */
  public String word() {
    return word;
  }

  /**
   * The form of a name.
   *
   * @throws IllegalArgumentException that lists them all, if there is none
   */
  public static TraceForm of(String name) {
    return Arrays.stream(values())
        .filter(form -> form.word.equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "a trace is written as upcall, iolog2, iolog3 or blkparse, not '"
                        + name
                        + "'"));
  }

  /** The form of a file, by how it begins. */
  public static TraceForm ofFile(Path file) throws IOException {
    byte[] head;
    try (InputStream in = Files.newInputStream(file)) {
      head = in.readNBytes(HEAD_BYTES);
    }
    String text = new String(head, StandardCharsets.ISO_8859_1);
    if (text.startsWith("UPBT")) {
      return UPCALL;
    }
    if (text.startsWith(IologReader.HEAD)) {
      return IologReader.form(file, text.lines().findFirst().orElse(""));
    }
    if (text.lines().findFirst().orElse("").strip().matches("[0-9]+,[0-9]+ .*")) {
      return BLKPARSE;
    }
    throw new IOException(
        file + ": it is no block trace: neither ours, nor fio's iolog, nor the text of blkparse");
  }

  /** Opens a file of whatever form to read it. */
  public static TraceSource open(Path file) throws IOException {
    TraceForm form = ofFile(file);
    if (form == UPCALL) {
      return TraceReader.open(file);
    }
    BufferedReader text =
        new BufferedReader(
            new InputStreamReader(
                new BufferedInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8));
    TraceLines lines = new TraceLines(text, file.toString());
    return form == BLKPARSE ? new BlkparseReader(lines) : new IologReader(lines, form);
  }

  /**
   * Begins a new file of this form.
   *
   * @param device what fio shall call the device
   */
  public TraceTarget create(Path file, TraceHeader header, String device) throws IOException {
    if (this == UPCALL) {
      return TraceOutput.create(file, header);
    }
    Writer out =
        Files.newBufferedWriter(file, StandardCharsets.UTF_8, StandardOpenOption.CREATE_NEW);
    return this == BLKPARSE ? new BlkparseWriter(out) : new IologWriter(out, this, device);
  }
}
