package dev.upcall.cli.option;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.upcall.UpcallException;
import dev.upcall.completion.Failure;
import dev.upcall.trees.TreeProblem;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * The operands of a command, one after the other. As with the tools of every shell a failure of one
 * is named, the others are done, and the command ends with {@link ExitCode#FAILED}. The failure of
 * an only one is the command's, and so is one of the store itself. When the user asks for the end,
 * the one that is being done is the last.
 */
public final class Operands {
  private final List<String> operands;
  private final Consumer<String> say;
  private final BooleanSupplier isStopped;
  private final List<TreeProblem> problems = new ArrayList<>();
  private boolean stopped;

  /** The work on each. */
  public interface Work {
    /** Does it. */
    void run(String operand) throws IOException;
  }

  /**
   * Operands.
   *
   * @param say takes a message for the user
   * @param isStopped whether the user asked for the end
   */
  public Operands(List<String> operands, Consumer<String> say, BooleanSupplier isStopped) {
    this.operands = List.copyOf(operands);
    this.say = say;
    this.isStopped = isStopped;
  }

  /** Paths of the store; one that is none is wrong usage, and nothing is done. */
  public static Operands ofPaths(
      List<String> paths, Consumer<String> say, BooleanSupplier isStopped) {
    return new Operands(
        paths.stream().map(path -> StorePaths.parse(path).toString()).toList(), say, isStopped);
  }

  /** Whether there is one, whose result needs no list around it. */
  public boolean isOne() {
    return operands.size() == 1;
  }

  /** Does something with each. */
  public void each(Work work) throws IOException {
    for (String operand : operands) {
      if (isStopped.getAsBoolean()) {
        stopped = true;
        return;
      }
      try {
        work.run(operand);
      } catch (UpcallException failed) {
        if (isOne() || isOfTheStore(failed.failure())) {
          throw failed;
        }
        failed(operand, failed.failure().message());
      } catch (CommandFailure failed) {
        if (isOne() || failed.exitCode() != ExitCode.FAILED) {
          throw failed;
        }
        failed(operand, String.valueOf(failed.getMessage()));
      }
    }
  }

  private static boolean isOfTheStore(Failure failure) {
    return failure instanceof Failure.Closed || failure instanceof Failure.ReadOnly;
  }

  /** Something of an operand has failed, and the rest goes on. */
  public void failed(String operand, String reason) {
    problems.add(new TreeProblem(operand, reason));
    say.accept(reason.contains(operand) ? reason : operand + ": " + reason);
  }

  /** The failures, with their reasons. */
  public List<TreeProblem> problems() {
    return List.copyOf(problems);
  }

  /** Writes the field {@code problems}, if there are any. */
  public void write(JsonGenerator json) throws IOException {
    if (!problems.isEmpty()) {
      Json.problems(json, problems);
    }
  }

  /**
   * Writes a document: of one operand its own fields, of several a list of such objects.
   *
   * @param list the list's name
   * @param each the fields of those that did not fail
   */
  public void write(JsonGenerator json, String list, List<JsonDocument.Fields> each)
      throws IOException {
    if (isOne() && !each.isEmpty()) {
      each.getFirst().write(json);
      return;
    }
    json.writeArrayFieldStart(list);
    for (JsonDocument.Fields fields : each) {
      json.writeStartObject();
      fields.write(json);
      json.writeEndObject();
    }
    json.writeEndArray();
    write(json);
  }

  /**
   * How the command ends.
   *
   * @param otherwise where none has failed, and all were done
   */
  public int exitCode(int otherwise) {
    return problems.isEmpty() && !stopped ? otherwise : ExitCode.FAILED;
  }
}
