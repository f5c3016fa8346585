package dev.upcall.weave;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.Map;
import java.util.Objects;

/** From the type that a value has to the one that is wanted: cast, boxed, unboxed, widened. */
final class Conversion {
  private static final Map<ClassDesc, ClassDesc> WRAPPERS =
      Map.of(
          ConstantDescs.CD_boolean, ConstantDescs.CD_Boolean,
          ConstantDescs.CD_byte, ConstantDescs.CD_Byte,
          ConstantDescs.CD_char, ConstantDescs.CD_Character,
          ConstantDescs.CD_short, ConstantDescs.CD_Short,
          ConstantDescs.CD_int, ConstantDescs.CD_Integer,
          ConstantDescs.CD_long, ConstantDescs.CD_Long,
          ConstantDescs.CD_float, ConstantDescs.CD_Float,
          ConstantDescs.CD_double, ConstantDescs.CD_Double);

  private Conversion() {}

  /**
   * Converts the value on top of the stack.
   *
   * @param has its type as the code knows it
   * @param is what it is by its generic type
   * @param wanted what it is to be
   */
  static void convert(CodeBuilder code, ClassDesc has, ClassDesc is, ClassDesc wanted) {
    if (has.isPrimitive()) {
      if (wanted.isPrimitive()) {
        widen(code, has, wanted);
      } else {
        box(code, has);
      }
    } else {
      ClassDesc known = is.isPrimitive() ? has : is;
      cast(code, has, known);
      if (wanted.isPrimitive()) {
        unbox(code, known, wanted);
      } else {
        cast(code, known, wanted);
      }
    }
  }

  /** Forgets the value on top of the stack. */
  static void drop(CodeBuilder code, ClassDesc type) {
    switch (TypeKind.from(type).slotSize()) {
      case 1 -> code.pop();
      case 2 -> code.pop2();
      default -> {
        // Nothing was returned.
      }
    }
  }

  private static void cast(CodeBuilder code, ClassDesc has, ClassDesc wanted) {
    if (!wanted.equals(has) && !wanted.equals(ConstantDescs.CD_Object)) {
      code.checkcast(wanted);
    }
  }

  private static void widen(CodeBuilder code, ClassDesc has, ClassDesc wanted) {
    code.conversion(TypeKind.from(has), TypeKind.from(wanted));
  }

  private static void box(CodeBuilder code, ClassDesc has) {
    ClassDesc wrapper = wrapperOf(has);
    code.invokestatic(wrapper, "valueOf", MethodTypeDesc.of(wrapper, has));
  }

  /** Of a wrapper, by its own type and then widened; of what is no wrapper, as the wanted type. */
  private static void unbox(CodeBuilder code, ClassDesc known, ClassDesc wanted) {
    ClassDesc primitive =
        WRAPPERS.entrySet().stream()
            .filter(each -> each.getValue().equals(known))
            .map(Map.Entry::getKey)
            .findAny()
            .orElse(wanted);
    ClassDesc wrapper = wrapperOf(primitive);
    cast(code, known, wrapper);
    code.invokevirtual(wrapper, primitive.displayName() + "Value", MethodTypeDesc.of(primitive));
    widen(code, primitive, wanted);
  }

  private static ClassDesc wrapperOf(ClassDesc primitive) {
    return Objects.requireNonNull(WRAPPERS.get(primitive), primitive::displayName);
  }
}
