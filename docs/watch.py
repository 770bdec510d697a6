"""Makes watch.svg of a screen of leakline watch: python3 docs/watch.py app/src/test/resources/watch/100x40-process.txt > docs/watch.svg"""
import html, sys
WIDTH, HEIGHT, AROUND = 8.4, 17, 14
lines = open(sys.argv[1], encoding="utf-8").read().rstrip("\n").split("\n")
columns = max(map(len, lines))


def shown(number, line):
    if number == 0:
        return "b"
    if any(c in line for c in "│▲"):
        return "c"
    return "a" if line.startswith("  verdict   leak") else "f" if number == len(lines) - 1 else "t"


print(f'<svg xmlns="http://www.w3.org/2000/svg" width="{columns * WIDTH + 2 * AROUND:.0f}" height="{len(lines) * HEIGHT + 2 * AROUND}" role="img">')
print("<title>A screen of leakline watch</title>")
print("<style>text{font:14px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;white-space:pre;fill:#d6deeb}.b{font-weight:bold}.a{fill:#ff6b6b;font-weight:bold}.c{fill:#7fb3ff}.f{fill:#8a94a6}</style>")
print('<rect width="100%" height="100%" rx="8" fill="#10151f"/>')
for number, line in enumerate(lines):
    if line.strip():
        print(f'<text x="{AROUND}" y="{AROUND + number * HEIGHT + 13}" textLength="{len(line) * WIDTH:.0f}" class="{shown(number, line)}" xml:space="preserve">{html.escape(line, quote=False)}</text>')
print("</svg>")
