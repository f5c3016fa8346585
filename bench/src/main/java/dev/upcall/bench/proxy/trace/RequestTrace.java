package dev.upcall.bench.proxy.trace;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;

/** Requests in their order, each for an object that keeps its size and its URL. */
public final class RequestTrace {
  private final int[] requests;
  private final int firstDay;
  private final int[] sizes;
  private final int[] hosts;
  private final int hostCount;
  private final byte[] folders;

  /**
   * Properties of the objects.
   *
   * @param sizes in bytes
   * @param hosts the server of each
   * @param hostCount above all of them
   * @param folders where each lies on its server
   */
  record Objects(int[] sizes, int[] hosts, int hostCount, byte[] folders) {}

  /**
   * A trace.
   *
   * @param requests objects by number
   * @param firstDay how many of the requests are of day 1
   */
  RequestTrace(int[] requests, int firstDay, Objects objects) {
    this.requests = requests;
    this.firstDay = firstDay;
    this.sizes = objects.sizes;
    this.hosts = objects.hosts;
    this.hostCount = objects.hostCount;
    this.folders = objects.folders;
  }

  /** A trace that is given: objects of these sizes, all of one server. For worked examples. */
  public static RequestTrace of(int firstDay, int[] sizes, int... requests) {
    Objects objects = new Objects(sizes, new int[sizes.length], 1, new byte[sizes.length]);
    return new RequestTrace(requests, firstDay, objects);
  }

  /** How many requests. */
  public int length() {
    return requests.length;
  }

  /** How many of them are of day 1. */
  public int firstDay() {
    return firstDay;
  }

  /** The object that a request asks for. */
  public int object(int request) {
    return requests[request];
  }

  /** Above the number of each object. */
  public int objects() {
    return sizes.length;
  }

  /** How large an object is. */
  public int sizeBytes(int object) {
    return sizes[object];
  }

  /** The server that has an object. */
  public int host(int object) {
    return hosts[object];
  }

  /** Above the number of each server. */
  public int hosts() {
    return hostCount;
  }

  /** In which folder of its server an object lies. */
  public int folder(int object) {
    return folders[object];
  }

  /** Above the number of each folder of a server. */
  public static int folders() {
    return TraceDraw.FOLDERS;
  }

  /** A server's name. */
  public static String hostName(int host) {
    return String.format(Locale.ROOT, "h%05d.example", host);
  }

  /** A request of a client. */
  public String url(int object) {
    return String.format(
        Locale.ROOT, "http://%s/p%d/o%07d", hostName(hosts[object]), folders[object], object);
  }

  /** The same requests without those for objects that are larger than this. */
  public RequestTrace smallOnly(int mostBytes) {
    int[] kept = new int[requests.length];
    int count = 0;
    int day = 0;
    for (int i = 0; i < requests.length; i++) {
      if (sizes[requests[i]] <= mostBytes) {
        kept[count++] = requests[i];
        day += i < firstDay ? 1 : 0;
      }
    }
    return new RequestTrace(
        java.util.Arrays.copyOf(kept, count), day, new Objects(sizes, hosts, hostCount, folders));
  }

  /**
   * Writes a line for each request into a new file: sequence number, day, URL, size.
   *
   * @throws IOException if there is such a file already, or it cannot be written
   */
  public void write(Path file) throws IOException {
    try (BufferedWriter out =
        Files.newBufferedWriter(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      for (int i = 0; i < requests.length; i++) {
        int object = requests[i];
        out.write((i + 1) + " " + (i < firstDay ? 1 : 2) + " " + url(object) + " " + sizes[object]);
        out.newLine();
      }
    }
  }
}
