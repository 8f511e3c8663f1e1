//===- Evaluation.h - Operations on words -----------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// evaluate_NAME of the words of a type, for each line of Operations.def.
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_EVALUATION_H
#define CHANSIM_EVALUATION_H

#include "machine/Operations.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace chansim {

/// A word, or what stands for three.
using Word = uint64_t;

/// Bits within bytes by halves, then the bytes; GCC has a builtin for these
/// alone.
constexpr Word reverseBits(Word a) {
  a = (a & 0x0f0f0f0f0f0f0f0f) << 4 | (a >> 4 & 0x0f0f0f0f0f0f0f0f);
  a = (a & 0x3333333333333333) << 2 | (a >> 2 & 0x3333333333333333);
  a = (a & 0x5555555555555555) << 1 | (a >> 1 & 0x5555555555555555);
  return __builtin_bswap64(a);
}

#define EVALUATE1(NAME, EXPRESSION)                                            \
  static Word evaluate_##NAME(Word a, Word, Word) { return EXPRESSION; }
#define EVALUATE2(NAME, EXPRESSION)                                            \
  static Word evaluate_##NAME(Word a, Word b, Word) { return EXPRESSION; }
#define EVALUATE3(NAME, EXPRESSION)                                            \
  static Word evaluate_##NAME(Word a, Word b, Word c) { return EXPRESSION; }

/// What is alike for all types of a size.
template <unsigned Bits> struct BitsOf {
  static constexpr Word kMask = ~Word(0) >> (64 - Bits);
  static constexpr unsigned kBytes = (Bits + 7) / 8;

  /// Addresses need not be aligned.
  static Word read(Word address) {
    Word value = 0;
    std::memcpy(&value, reinterpret_cast<const void *>(address), kBytes);
    return value & kMask;
  }
  static Word write(Word address, Word value) {
    std::memcpy(reinterpret_cast<void *>(address), &value, kBytes);
    return 0;
  }
  /// Writes and gives what was there.
  static Word exchange(Word address, Word old, Word value) {
    write(address, value);
    return old;
  }

  EVALUATE1(mov, a)
  EVALUATE3(select, a & 1 ? b : c)
  EVALUATE1(load, read(a))
  EVALUATE2(store, write(a, b))
  EVALUATE2(atomic_xchg, exchange(a, read(a), b))
};

template <unsigned Bits> struct IntegerOf : BitsOf<Bits> {
  using BitsOf<Bits>::kMask, BitsOf<Bits>::read, BitsOf<Bits>::exchange;

  static int64_t sign(Word a) {
    return static_cast<int64_t>(a << (64 - Bits)) >> (64 - Bits);
  }
  static Word cut(Word a) { return a & kMask; }
  static Word bits(int64_t a) { return cut(static_cast<Word>(a)); }

  EVALUATE2(add, cut(a + b))
  EVALUATE2(sub, cut(a - b))
  EVALUATE2(mul, cut(a *b))
  EVALUATE3(mad, cut(a *b + c))
  EVALUATE2(and, a &b)
  EVALUATE2(or, a | b)
  EVALUATE2(xor, a ^ b)
  EVALUATE2(shl, b < Bits ? cut(a << b) : 0)
  EVALUATE2(lshr, b < Bits ? a >> b : 0)
  EVALUATE2(ashr, bits(sign(a) >> (b < Bits ? b : Bits - 1)))
  EVALUATE2(eq, a == b)
  EVALUATE2(ne, a != b)
  EVALUATE2(slt, sign(a) < sign(b))
  EVALUATE2(sle, sign(a) <= sign(b))
  EVALUATE2(sgt, sign(a) > sign(b))
  EVALUATE2(sge, sign(a) >= sign(b))
  EVALUATE2(ult, a < b)
  EVALUATE2(ule, a <= b)
  EVALUATE2(ugt, a > b)
  EVALUATE2(uge, a >= b)
  EVALUATE2(smin, sign(a) < sign(b) ? a : b)
  EVALUATE2(smax, sign(a) > sign(b) ? a : b)
  EVALUATE2(umin, a < b ? a : b)
  EVALUATE2(umax, a > b ? a : b)
  EVALUATE1(ctpop, static_cast<Word>(std::popcount(a)))
  EVALUATE1(ctlz, static_cast<Word>(std::countl_zero(a)) - (64 - Bits))
  EVALUATE1(cttz, a ? static_cast<Word>(std::countr_zero(a)) : Bits)
  EVALUATE1(bswap, __builtin_bswap64(a) >> (64 - Bits))
  EVALUATE1(bitreverse, reverseBits(a) >> (64 - Bits))
  static Word evaluate_fshl(Word a, Word b, Word c) {
    unsigned shift = static_cast<unsigned>(c % Bits);
    return shift ? cut(a << shift | b >> (Bits - shift)) : a;
  }
  static Word evaluate_fshr(Word a, Word b, Word c) {
    unsigned shift = static_cast<unsigned>(c % Bits);
    return shift ? cut(a << (Bits - shift) | b >> shift) : b;
  }

  EVALUATE2(udiv, b ? a / b : kMask)
  EVALUATE2(urem, b ? a % b : a)
  static Word evaluate_sdiv(Word a, Word b, Word) {
    if (!b)
      return kMask;
    return b == kMask ? cut(0 - a) : bits(sign(a) / sign(b));
  }
  static Word evaluate_srem(Word a, Word b, Word) {
    if (!b)
      return a;
    return b == kMask ? 0 : bits(sign(a) % sign(b));
  }

#define ATOMIC(NAME)                                                           \
  static Word evaluate_atomic_##NAME(Word a, Word b, Word) {                   \
    Word old = read(a);                                                        \
    return exchange(a, old, evaluate_##NAME(old, b, 0));                       \
  }
  ATOMIC(add)
  ATOMIC(sub)
  ATOMIC(and)
  ATOMIC(or)
  ATOMIC(xor)
  ATOMIC(smin)
  ATOMIC(smax)
  ATOMIC(umin)
  ATOMIC(umax)
#undef ATOMIC
  static Word evaluate_cas(Word address, Word expected, Word desired) {
    Word old = read(address);
    return old == expected ? exchange(address, old, desired) : old;
  }
  static Word evaluate_reserve(Word control, Word, Word) {
    Word tail = read(control), width = read(control + 8);
    return tail < width ? exchange(control, tail, tail + 1) : ~Word(0);
  }
  static Word evaluate_pop(Word list, Word, Word) {
    Word item = read(list);
    return item ? exchange(list, item, read(item)) : 0;
  }
  static Word evaluate_push(Word list, Word item, Word) {
    BitsOf<Bits>::write(item, read(list));
    return BitsOf<Bits>::write(list, item);
  }
};

template <class F, class Bits, unsigned Width> struct FloatOf : BitsOf<Width> {
  using BitsOf<Width>::read, BitsOf<Width>::exchange;
  static constexpr Word kSign = Word(1) << (Width - 1);

  static F number(Word a) { return std::bit_cast<F>(static_cast<Bits>(a)); }
  static Word word(F a) { return std::bit_cast<Bits>(a); }

#define FLOAT1(NAME, EXPRESSION)                                               \
  static Word evaluate_##NAME(Word first, Word, Word) {                        \
    F a = number(first);                                                       \
    return EXPRESSION;                                                         \
  }
#define FLOAT2(NAME, EXPRESSION)                                               \
  static Word evaluate_##NAME(Word first, Word second, Word) {                 \
    F a = number(first), b = number(second);                                   \
    return EXPRESSION;                                                         \
  }
  FLOAT2(fadd, word(a + b))
  FLOAT2(fsub, word(a - b))
  FLOAT2(fmul, word(a *b))
  FLOAT2(fdiv, word(a / b))
  FLOAT1(fsqrt, word(std::sqrt(a)))
  static Word evaluate_fma(Word a, Word b, Word c) {
    return word(std::fma(number(a), number(b), number(c)));
  }
  EVALUATE1(fneg, a ^ kSign)
  EVALUATE1(fabs, a & ~kSign)
  EVALUATE2(fcopysign, (a & ~kSign) | (b & kSign))
  FLOAT2(fminnum, word(std::fmin(a, b)))
  FLOAT2(fmaxnum, word(std::fmax(a, b)))
  FLOAT2(foeq, a == b)
  FLOAT2(fogt, a > b)
  FLOAT2(foge, a >= b)
  FLOAT2(folt, a < b)
  FLOAT2(fole, a <= b)
  FLOAT2(fone, a<b || a> b)
  FLOAT2(ford, a == a && b == b)
  FLOAT2(fueq, !(a < b || a > b))
  FLOAT2(fugt, !(a <= b))
  FLOAT2(fuge, !(a < b))
  FLOAT2(fult, !(a >= b))
  FLOAT2(fule, !(a > b))
  FLOAT2(fune, a != b)
  FLOAT2(funo, a != a || b != b)
  FLOAT1(ffloor, word(std::floor(a)))
  FLOAT1(fceil, word(std::ceil(a)))
  FLOAT1(ftrunc, word(std::trunc(a)))
  FLOAT1(frint, word(std::nearbyint(a)))
  FLOAT1(fround, word(std::round(a)))
#undef FLOAT1
#undef FLOAT2
  static Word evaluate_atomic_fadd(Word a, Word b, Word) {
    Word old = read(a);
    return exchange(a, old, evaluate_fadd(old, b, 0));
  }
};

template <Type T> struct WordsOf;
template <> struct WordsOf<Type::i1> : IntegerOf<1> {};
template <> struct WordsOf<Type::i8> : IntegerOf<8> {};
template <> struct WordsOf<Type::i16> : IntegerOf<16> {};
template <> struct WordsOf<Type::i32> : IntegerOf<32> {};
template <> struct WordsOf<Type::i64> : IntegerOf<64> {};
template <> struct WordsOf<Type::f32> : FloatOf<float, uint32_t, 32> {};
template <> struct WordsOf<Type::f64> : FloatOf<double, uint64_t, 64> {};

/// evaluate_NAME of conversions from From to To.
template <Type From, Type To> struct ConversionsOf {
  using F = WordsOf<From>;
  using T = WordsOf<To>;

  EVALUATE1(trunc, T::cut(a))
  EVALUATE1(zext, a)
  EVALUATE1(sext, T::bits(F::sign(a)))
  static Word evaluate_fptosi(Word a, Word, Word) {
    auto number = F::number(a);
    constexpr Word half = T::kMask / 2 + 1;
    if (!(number == number))
      return 0;
    if (std::trunc(number) >= static_cast<decltype(number)>(half))
      return half - 1;
    if (std::trunc(number) <= -static_cast<decltype(number)>(half))
      return half;
    return T::bits(static_cast<int64_t>(number));
  }
  static Word evaluate_fptoui(Word a, Word, Word) {
    auto number = F::number(a);
    constexpr Word half = T::kMask / 2 + 1;
    if (!(number >= 1))
      return 0;
    if (std::trunc(number) >= 2 * static_cast<decltype(number)>(half))
      return T::kMask;
    return static_cast<Word>(number);
  }
  EVALUATE1(sitofp, T::word(static_cast<decltype(T::number(0))>(F::sign(a))))
  static Word evaluate_uitofp(Word a, Word, Word) {
    return T::word(static_cast<decltype(T::number(0))>(a));
  }
  EVALUATE1(fpext, T::word(F::number(a)))
  EVALUATE1(fptrunc, T::word(static_cast<decltype(T::number(0))>(F::number(a))))
};

#undef EVALUATE1
#undef EVALUATE2
#undef EVALUATE3

} // namespace chansim

#endif // CHANSIM_EVALUATION_H
