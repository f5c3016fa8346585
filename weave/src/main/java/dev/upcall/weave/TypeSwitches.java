package dev.upcall.weave;

import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.classfile.attribute.NestHostAttribute;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A class with a method for each switch over types in another one: which label comes first, from
 * the given one on, that its argument is an instance of. As {@link
 * java.lang.runtime.SwitchBootstraps#typeSwitch} says.
 */
final class TypeSwitches {
  private static final String BOOTSTRAP = "java.lang.runtime.SwitchBootstraps";

  private final ClassDesc name;
  private final ClassDesc outermost;
  private final List<InvokeDynamicInstruction> calls = new ArrayList<>();

  TypeSwitches(ClassDesc host, ClassDesc outermost) {
    this.name = Woven.nameBeside(host, "Switches");
    this.outermost = outermost;
  }

  /** Is it a switch whose labels are all types? */
  static boolean isMadeOf(InvokeDynamicInstruction call) {
    return call.bootstrapMethod().owner().equals(ClassDesc.of(BOOTSTRAP))
        && call.bootstrapMethod().methodName().equals("typeSwitch")
        && !call.typeSymbol().parameterType(0).isPrimitive()
        && call.bootstrapArgs().stream()
            .allMatch(label -> label instanceof ClassDesc type && !type.isPrimitive());
  }

  /** The name of the class. */
  ClassDesc name() {
    return name;
  }

  /** One more; answers the name of its method, whose type is the call's. */
  String add(InvokeDynamicInstruction call) {
    calls.add(call);
    return methodName(calls.size());
  }

  /** The class, if there are any. */
  Optional<Made> made() {
    return calls.isEmpty() ? Optional.empty() : Optional.of(new Made(name, bytes()));
  }

  private byte[] bytes() {
    return ClassFile.of()
        .build(
            name,
            type -> {
              type.withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SYNTHETIC | ClassFile.ACC_SUPER);
              type.with(NestHostAttribute.of(outermost));
              for (int i = 0; i < calls.size(); i++) {
                InvokeDynamicInstruction call = calls.get(i);
                type.withMethodBody(
                    methodName(i + 1),
                    call.typeSymbol(),
                    ClassFile.ACC_STATIC | ClassFile.ACC_SYNTHETIC,
                    code -> body(code, call.bootstrapArgs()));
              }
            });
  }

  private static void body(CodeBuilder code, List<ConstantDesc> labels) {
    Label given = code.newLabel();
    code.aload(0).ifnonnull(given).loadConstant(-1).ireturn().labelBinding(given);
    for (int i = 0; i < labels.size(); i++) {
      Label next = code.newLabel();
      code.aload(0).instanceOf((ClassDesc) labels.get(i)).ifeq(next);
      code.iload(1).loadConstant(i).if_icmpgt(next);
      code.loadConstant(i).ireturn().labelBinding(next);
    }
    code.loadConstant(labels.size()).return_(TypeKind.INT);
  }

  private static String methodName(int number) {
    return "labelOf" + number;
  }
}
