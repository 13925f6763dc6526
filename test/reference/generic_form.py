# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Reads the generic form that mlir-opt prints: operations, blocks, regions. Attributes and types stay
# text until somebody asks for their value. Knows the grammar, not what any operation means.
import re

import numpy as np

TOKEN = re.compile(r"""
    (?P<skip>\s+|//[^\n]*)
  | (?P<string>"(?:[^"\\]|\\.)*")
  | (?P<arrow>->|>=|<=|==)
  | (?P<value>%[\w$.\-]+(?:\#\d+)?)
  | (?P<word>[\^@\#!]?[A-Za-z_$][\w$.]*|0x[0-9A-Fa-f]+|-?\d[\w.]*(?:(?<=[eE])[+\-]\d+)?)
  | (?P<mark>.)
""", re.VERBOSE)
OPEN, CLOSE = "([{<", ")]}>"
DYNAMIC = -(1 << 63)

# Element type: how numpy holds it. bf16 lives in f32 and is rounded after each operation.
STORAGE = {
    "i1": np.bool_, "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64,
    "si8": np.int8, "si16": np.int16, "si32": np.int32, "si64": np.int64,
    "index": np.int64, "ui8": np.uint8, "ui16": np.uint16, "ui32": np.uint32, "ui64": np.uint64,
    "f16": np.float16, "bf16": np.float32, "f32": np.float32, "f64": np.float64,
}


class NoMeaning(Exception):
    """An operation, attribute or type that this reference does not know."""


class Operation:
    def __init__(self, name):
        self.name, self.results, self.operands = name, [], []
        self.successors, self.attributes, self.regions = [], {}, []
        self.operand_types, self.result_types = [], []

    def integer(self, name):
        return int(self.attributes[name].split(":")[0])

    def integers(self, name):
        """The numbers of an array attribute, whatever its nesting."""
        text = re.sub(r"^array<i\d+", "", self.attributes.get(name, "")).split(" : ")[0]
        return [int(n) for n in re.findall(r"-?\d+", text)]

    def symbol(self, name):
        return self.attributes.get(name, "").strip('@"')


class Block:
    def __init__(self, label):
        self.label, self.arguments, self.operations = label, [], []


class Reader:
    def __init__(self, text):
        self.text, self.tokens, self.at = text, [], 0
        for match in TOKEN.finditer(text):
            if match.lastgroup != "skip":
                self.tokens.append((match.group(), match.start(), match.end()))
        self.tokens.append(("", len(text), len(text)))

    def peek(self, ahead=0):
        return self.tokens[min(self.at + ahead, len(self.tokens) - 1)][0]

    def take(self, wanted=None):
        token = self.peek()
        if wanted is not None and token != wanted:
            line = self.text.count("\n", 0, self.tokens[self.at][1]) + 1
            raise ValueError(f"line {line} of the generic form: '{token}' instead of '{wanted}'")
        self.at += 1
        return token

    def accept(self, token):
        if self.peek() != token:
            return False
        self.at += 1
        return True

    def span(self, stops):
        """The text up to a token of `stops` outside all brackets, or to a closing bracket."""
        depth, first = 0, self.at
        while self.peek():
            token = self.peek()
            if depth == 0 and (token in stops or token in tuple(CLOSE)):
                break
            depth += (token in tuple(OPEN)) - (token in tuple(CLOSE))
            self.at += 1
        return self.text[self.tokens[first][1]:self.tokens[self.at - 1][2]] if self.at > first else ""

    def listed(self, opening, closing, item):
        items = []
        self.take(opening)
        while not self.accept(closing):
            items.append(item())
            self.accept(",")
        return items

    def type(self):
        """One type, which ends before a comma, a bracket, or whatever follows a type in an op."""
        if self.peek() == "(":
            inputs = self.types()
            self.take("->")
            return f"({', '.join(inputs)}) -> ({', '.join(self.types())})"
        first = self.at
        self.take()
        if self.accept("<"):
            self.span(())
            self.take(">")
        return self.text[self.tokens[first][1]:self.tokens[self.at - 1][2]]

    def types(self):
        return self.listed("(", ")", self.type) if self.peek() == "(" else [self.type()]

    def typed_value(self):
        name = self.take()
        self.take(":")
        return name, self.type()

    def named_attribute(self):
        name = self.take().strip('"')
        return name, self.span((",",)) if self.accept("=") else ""

    def successor(self):
        label = self.take()
        arguments = self.listed("(", ")", self.typed_value) if self.peek() == "(" else []
        return label, [name for name, _ in arguments]

    def operation(self):
        names = []
        while self.peek().startswith("%"):
            name, count = self.take(), None
            if self.accept(":"):
                count = int(self.take())
            names += [name] if count is None else [f"{name}#{i}" for i in range(count)]
            self.accept(",")
        if names:
            self.take("=")
        op = Operation(self.take().strip('"'))
        op.results = names
        op.operands = self.listed("(", ")", self.take)
        if self.peek() == "[":
            op.successors = self.listed("[", "]", self.successor)
        if self.accept("<"):
            op.attributes.update(self.listed("{", "}", self.named_attribute))
            self.take(">")
        if self.peek() == "(":
            op.regions = self.listed("(", ")", self.region)
        if self.peek() == "{":
            op.attributes.update(self.listed("{", "}", self.named_attribute))
        self.take(":")
        op.operand_types = self.types()
        self.take("->")
        op.result_types = self.types()
        return op

    def region(self):
        blocks = []
        self.take("{")
        while not self.accept("}"):
            if self.peek().startswith("^"):
                blocks.append(Block(self.take()))
                if self.peek() == "(":
                    blocks[-1].arguments = self.listed("(", ")", self.typed_value)
                self.take(":")
            else:
                if not blocks:
                    blocks.append(Block(""))
                blocks[-1].operations.append(self.operation())
        return blocks


def element_of(kind):
    """The element type of a tensor type, or the type itself."""
    match = re.fullmatch(r"tensor<((?:[\d?]+x)*)([^,]*)(?:,.*)?>", kind)
    return match.group(2) if match else kind


def shape_of(kind):
    """The dimensions of a tensor type, None where they are not known; None for other types."""
    match = re.fullmatch(r"tensor<((?:[\d?]+x)*)[^,]*(?:,.*)?>", kind)
    if not match:
        return None
    return [None if n == "?" else int(n) for n in match.group(1).split("x")[:-1]]


def storage(element):
    if element not in STORAGE:
        raise NoMeaning(f"element type {element}")
    return STORAGE[element]


def to_odd(values):
    """f64 as f32, with an odd last bit where that is not exact: a second rounding is then right."""
    nearest = values.astype(np.float32)
    bits = nearest.view(np.uint32)
    beyond = np.abs(nearest.astype(np.float64)) > np.abs(values)
    odd = ((bits - beyond) | 1).astype(np.uint32).view(np.float32)
    return np.where(np.isnan(values) | (nearest == values), nearest, odd)


def rounded(values, element):
    """`values` as `element` holds them: integers wrap, floats are rounded."""
    values = np.asarray(values)
    if element == "i1" and values.dtype != np.bool_:
        return (values & 1) != 0
    if element == "bf16" and values.dtype == np.float64:
        values = to_odd(values)
    values = values.astype(storage(element))
    if element == "bf16":
        bits = values.view(np.uint32)
        even = bits + 0x7FFF + ((bits >> 16) & 1)
        kept = np.where(np.isnan(values), bits | 0x400000, even) & 0xFFFF0000
        values = kept.astype(np.uint32).view(np.float32)
    return values


def number(text, element):
    if text in ("true", "false"):
        return text == "true"
    if not element.startswith(("f", "bf")):
        return int(text, 0)
    if not text.lower().startswith("0x"):
        return float(text)
    bits = {"f16": np.uint16, "f32": np.uint32, "f64": np.uint64, "bf16": np.uint32}[element]
    shift = 16 if element == "bf16" else 0
    return np.array(int(text, 16) << shift, bits).view(storage(element))[()]


def constant(text, kind):
    """The value of an attribute of type `kind`."""
    element, shape = element_of(kind), shape_of(kind)
    storage(element)
    if shape is None:
        return rounded(number(text.split(" : ")[0].strip(), element), element)
    match = re.match(r"dense<(.*)>\s*:", text, re.DOTALL)
    if not match:
        raise NoMeaning(f"the constant {text[:40]}")
    body = match.group(1)
    if body.startswith('"'):
        raw = bytes.fromhex(body.strip('"')[2:])
        if element in ("i1", "bf16"):
            raise NoMeaning(f"bytes of {element}")
        return np.frombuffer(raw, storage(element)).reshape(shape).copy()
    numbers = [number(n, element) for n in re.findall(r"true|false|[\w.+\-]+", body)]
    if "[" not in body and numbers:
        return np.full(shape, rounded(numbers[0], element))
    # An unsigned spelling of a negative number is allowed: wide first, then wrapped.
    wide = np.array(numbers, np.float64 if "f" in element else object)
    return rounded(wide.astype(np.int64) if wide.dtype == object else wide, element).reshape(shape)


def affine_map(text):
    """(names of the dimensions, compiled results) of an affine map without symbols."""
    match = re.fullmatch(r"affine_map<\(([^)]*)\) -> \((.*)\)>", text.strip())
    if not match or not re.fullmatch(r"[\w\s,()+*\-]*", match.group(2)):
        raise NoMeaning(f"the map {text}")
    names = [n.strip() for n in match.group(1).split(",") if n.strip()]
    ends, depth, end = [], 0, ""
    for sign in match.group(2) + ",":
        depth += (sign == "(") - (sign == ")")
        if sign == "," and depth == 0:
            ends.append(end.strip())
            end = ""
        else:
            end += sign
    python = [e.replace("floordiv", "//").replace("mod", "%") for e in ends if e]
    if any("ceildiv" in e for e in python):
        raise NoMeaning(f"the map {text}")
    return names, [(e, compile(e, "map", "eval")) for e in python]
