import a.b, c as d
from . import x
from ..a.b import (c as d, e,)
from __future__ import annotations
from x import *
@dec(1)
@(a).b
async def f(a, b: int, c=1, d: str = 2, /, *args: int, k, l=3, **kw) -> int:
    "doc"
    global g, h
    nonlocal z
    return
def g(*, a): return 1, *b
class A: pass
class B(C, metaclass=M, *x, **y):
    x: int
    y: int = 3
    (z): int = 4
lambda: 0
lambda a, *b, c=1, **d: (yield)
lambda *, k: k
x = y = 1, 2
x, *y = z
[a, b] = c
(a, b) = c
x += 1
x @= yield 3
del a, b[1]
del (a, b)
del x
assert a, "b"
raise
raise A from b
pass; break
continue
if (n := 10) > 5: pass
elif not b:
    pass
# comment
else:
    pass
for i, j in x, y:
    pass
else: pass
async for (i) in x: pass
while 1: pass
else:
    pass
try:
    pass
except A as e:
    pass
except (A, B): pass
except: pass
else:
    pass
finally:
    pass
try: pass
except* A: pass
with a as b, c(): pass
with (a as b, c as (d, e),): pass
with (a, b): pass
with (a): pass
with (a).b as c.d: pass
async with a as b: pass
with open(x) as f, \
     g: pass
match x:
    case 1: pass
    case "a" | None | -1 | 1+2j: pass
    case A.B(c, d=e): pass
    case [a, *_, b] if c: pass
    case {"k": v, **rest}: pass
    case (a, b) as c: pass
    case x.y: pass
    case _: pass
    case a, b: pass
    case (a): pass
    case A(): pass
match a, b:
    case {}: pass
type X[T: int, *Ts, **P] = int
def f[T](x: T) -> T: pass
class K[T]: pass
x[1], x[1:2], x[::3], x[a, b:c], x[*a], x[:]
x = {1: 2, **a, 'b': c}
x = {1, *a}
x = [*a, 1]
x = ()
x = (1,)
x = (*a, b)
x = [a for b in c if d if e for f, g in h]
x = {a: b for c in d}
x = {a async for a in b}
x = (a for b in c)
f(a for b in c)
f(a, *b, c=1, **d)
f()
print(x)
a.b.c(d)[e]
a if b else c
not a
a and b or c
a < b <= c is not d not in e
-a ** +b
await x
a | b ^ c & d << e + f * g // h % i @ j
~x
"a" 'b'
"a" f"b{c}"
f"a{b!r:>{w}}{c=}{{}}"
f"{x:.2f}{y['a']}"
b"x" + rb"\y"
1, 1.5, 1j, 0xff, 1_000
True, False, None, ...
(yield)
(yield a, b)
yield from x
x = yield
x = (a)
x = ((a) + (b))
(a).b
print
x if y else (lambda: z)
f(x)(y)(z=(1))
f(a := 1)
f((a))
x = a, \
    b
a.b: int = 4
for x in *a, b: pass
for x, in y: pass
return_ = [lambda x=1: x]
x = """a
b"""
exec_ = 1
async def f():
    return await a.b(c)
x = a if b else c if d else e
[(a, b) for (a, b) in c]
lambda x: x if y else z
def outer(a, /, b: "t" = 1, *c: *d, e, f=2, **g) -> None:
	"""Tabs."""
	if a:
		return f'''{a!r
		:>{b}} {c} {{d}}'''
	x = rf"\{a}" "b" t'{c=}'
	é = 1_000.5e-3j; y = 0xFF_FF
try:
    pass
except A, B:
    pass
with (open(a) as b, c): [x async for x in y if z], {**a}
while not (yield): a = b if c else lambda *d, e=1: {f: g for h in i}
