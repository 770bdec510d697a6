#!/usr/bin/env python3
"""Holds `leakline estimate` against what PyTorch really takes, for training of models of libraries (library_models.py).

    benchmarks/estimates.py FOLDER --leakline ./leakline -- nullgpu --gpus 1 --memory 80G -- python

The command behind `--` starts a Python that has torch, transformers and timm, and a GPU, or something that stands in for one; the estimate has it hidden.
Recordings of both stay in FOLDER. Goals: live within 1 %, reserved within 3 %.
"""
import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

SCRIPT = str(Path(__file__).resolve().parent / "library_models.py")
MODELS = "bert bert_masked gpt2 gpt2_half llama llama_half t5 vit resnet convnext timm_vit efficientnet".split()


def answer(command: list[str], **environment: str) -> dict:
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment})
    lines = done.stdout.strip()
    return json.loads(lines[lines.index("{"):]) if done.returncode == 0 else {"error": done.stderr[-600:]}


def real(command: list[str], model: str, folder: Path) -> dict:
    kept = folder / f"{model}.json"
    if not kept.exists():
        kept.write_text(json.dumps(answer([*command, SCRIPT, model, str(folder / f"{model}.pickle")])))
    return json.loads(kept.read_text())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--leakline", default="./leakline")
    parser.add_argument("--models", default=",".join(MODELS))
    split = sys.argv.index("--")
    options, command = parser.parse_args(sys.argv[1:split]), sys.argv[split + 1:]
    options.folder.mkdir(parents=True, exist_ok=True)
    close = [0, 0]
    models = options.models.split(",")
    print("| model | live: real, MiB | estimated | reserved: real, MiB | estimated |\n|---|--:|--:|--:|--:|")
    for model in models:
        measured = real(command, model, options.folder)
        said = answer([options.leakline, "estimate", "--format", "json", "--keep", str(options.folder / model), "--", *command, SCRIPT, model],
                      CUDA_VISIBLE_DEVICES="-1")
        if "error" in measured or "error" in said:
            print(model, measured.get("error"), said.get("error"))
            continue
        ratios = said["peak"]["bytes"] / measured["live"] - 1, said["fit"]["reserved_bytes"] / measured["reserved"] - 1
        close[0] += abs(ratios[0]) <= 0.01
        close[1] += abs(ratios[1]) <= 0.03
        print(f"| {model} | {measured['live'] / 2**20:,.1f} | {ratios[0]:+.2%} | {measured['reserved'] / 2**20:,.0f} | {ratios[1]:+.2%} |", flush=True)
    print(f"live within 1 %: {close[0]} of {len(models)}; reserved within 3 %: {close[1]}")


if __name__ == "__main__":
    main()
