package dev.upcall.weave;

import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.constant.ClassDesc;
import java.util.ArrayList;
import java.util.List;

/** One class file whose dynamic calls go to classes that were made for them. */
final class Woven {
  private final ClassModel model;
  private final ClassPatch patch;
  private final ClassDesc host;
  private final ClassDesc outermost;
  private final List<Made> made = new ArrayList<>();
  private final TypeSwitches switches;

  private Woven(byte[] bytes) {
    this.model = ClassFile.of().parse(bytes);
    this.patch = new ClassPatch(bytes);
    this.host = model.thisClass().asSymbol();
    this.outermost =
        model
            .findAttribute(Attributes.nestHost())
            .map(attribute -> attribute.nestHost().asSymbol())
            .orElse(host);
    this.switches = new TypeSwitches(host, outermost);
  }

  /** Weaves a class file. */
  static Woven of(byte[] bytes) {
    Woven woven = new Woven(bytes);
    woven.weave();
    return woven;
  }

  /** What was made for it. */
  List<Made> made() {
    return made;
  }

  /** Is this the class that names the members of its nest? */
  boolean isOutermost() {
    return host.equals(outermost);
  }

  byte[] bytes() {
    return patch.bytes();
  }

  /** With more members of its nest. */
  byte[] bytesWithMembers(List<ClassDesc> members) {
    return patch.bytesWithMembers(members);
  }

  private void weave() {
    List<MethodModel> methods = model.methods();
    for (int method = 0; method < methods.size(); method++) {
      int at = patch.codeOffset(method);
      for (CodeElement element :
          methods.get(method).code().map(c -> c.elementList()).orElse(List.of())) {
        if (element instanceof InvokeDynamicInstruction call) {
          weave(call, at);
        }
        if (element instanceof Instruction instruction) {
          at += instruction.sizeInBytes();
        }
      }
    }
    switches.made().ifPresent(made::add);
  }

  private void weave(InvokeDynamicInstruction call, int at) {
    if (LambdaClass.isMadeOf(call)) {
      LambdaClass lambda =
          new LambdaClass(host, outermost, nameBeside(host, "Lambda$" + (made.size() + 1)), call);
      made.add(new Made(lambda.name(), lambda.bytes()));
      if (lambda.capturesNothing()) {
        patch.read(at, lambda.name(), LambdaClass.INSTANCE, lambda.interfaceName());
      } else {
        patch.call(at, lambda.name(), LambdaClass.FACTORY, call.typeSymbol());
      }
    } else if (TypeSwitches.isMadeOf(call)) {
      patch.call(at, switches.name(), switches.add(call), call.typeSymbol());
    }
  }

  /** The name of a class made for another one. */
  static ClassDesc nameBeside(ClassDesc host, String what) {
    return ClassDesc.of(host.packageName(), host.displayName() + Weave.MARK + what);
  }
}
