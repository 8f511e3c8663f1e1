//===- SIMTEnums.td - The enums of the simt dialect --------*- tablegen -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Apart from SIMT.td, which includes the enums of vgiw: they are declared once.
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_DIALECT_SIMT_SIMTENUMS_TD
#define CILK2CHAN_DIALECT_SIMT_SIMTENUMS_TD

include "mlir/IR/EnumAttr.td"

def SIMT_RegisterClass : I32EnumAttr<"RegisterClass", "class of registers", [
    I32EnumAttrCase<"S", 0, "s">,
    I32EnumAttrCase<"D", 1, "d">,
    I32EnumAttrCase<"C", 2, "c">]> {
  let cppNamespace = "::cilk2chan::simt";
  let genSpecializedAttr = 0;
}

#endif // CILK2CHAN_DIALECT_SIMT_SIMTENUMS_TD
