"""What the callbacks of the probe's wheel cost a training: transformers' Trainer and Lightning's, with the callback and without, by turns.

    python benchmarks/callbacks.py transformers|lightning [--rounds 40] [--batches 60] [--device cpu|cuda] [--armed]

Needs torch, the library, and the built probe (`mvn -q compile -pl probe`, or LEAKLINE_PROBE names its folder). A round trains the same small model three
times from the same seed, in changing order: without the callback, with it, and once more without it, which tells how much the machine's speed changes. All
losses must be the same, and each batch must be counted once. Times are of the process's own CPU, a batch each, from the fifth batch of a training on; where
the machine's speed changes by more than the callback takes, only the last column tells: what the probe does for a batch, called many times in a row.
With --armed the probe writes down what it sees, as under `leakline run`; without, it counts steps. On a device that computes nothing all losses are alike."""
import argparse
import datetime
import gc
import os
import platform
import statistics
import sys
import tempfile
import time

from measure import cpu

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
PROBE = os.environ.get("LEAKLINE_PROBE") or os.path.join(ROOT, "attach", "target", "classes", "dev", "leakline", "probe")
KINDS = "without", "with", "again without"
WARM_UP = 5  # batches after which a trainer has set up what it needs
CALLS = 20_000
BATCH, TOKENS, WORDS, WIDTH = 4, 32, 500, 128


def main():
    arguments = parse()
    sys.path[:0] = [PROBE, os.path.join(ROOT, "probe", "optional")]
    import torch
    torch.set_num_threads(1)
    torch.backends.cudnn.enabled = False  # changes nothing for this model
    version, train = {"transformers": transformers, "lightning": lightning}[arguments.library](arguments)
    with tempfile.TemporaryDirectory() as out:
        os.chdir(out)
        rounds = compare(arguments, train, out)
    print(f"{cpu()}, {os.cpu_count()} cores; Python {platform.python_version()}, torch {torch.__version__}, {arguments.device}; {datetime.date.today()}; "
          f"{arguments.rounds} rounds of {arguments.batches} batches{', armed' if arguments.armed else ''}.\n")
    table(f"{arguments.library} {version}", rounds, seconds_of_a_call())


def parse():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("library", choices=("transformers", "lightning"))
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--batches", type=int, default=60)
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--armed", action="store_true")
    return parser.parse_args()


def compare(arguments, train, out):
    """Seconds a batch of each kind, round by round; ends where losses differ or a batch is not counted once."""
    import leakline_probe
    if arguments.armed:
        leakline_probe.start(os.path.join(out, "probe"), "none")
    train(False), train(True)
    rounds, losses = {kind: [] for kind in KINDS}, None
    for number in range(arguments.rounds):
        for kind in KINDS[number % 3:] + KINDS[:number % 3]:
            gc.collect()
            before = leakline_probe.counters.steps or 0
            seconds, found = train(kind == "with")
            counted = (leakline_probe.counters.steps or 0) - before
            if kind == "with" and counted != arguments.batches:
                sys.exit(f"{counted} of {arguments.batches} batches counted")
            if found != (losses or found):
                sys.exit(f"losses differ {kind} the callback")
            rounds[kind].append(seconds)
            losses = found
    if leakline_probe.last_error:
        sys.exit(leakline_probe.last_error)
    return rounds


def seconds_of_a_call():
    """What the callbacks do at the end of each batch."""
    from leakline_probe.training import Training
    training = Training()
    begin = time.process_time()
    for _ in range(CALLS):
        training.step()
    return (time.process_time() - begin) / CALLS


class Clock:
    """What each batch lost, and the time of the CPU between the fifth batch and the last."""

    def __init__(self):
        self.losses, self.times = [], []

    def batch(self, loss):
        self.losses.append(loss.detach())
        self.times.append(time.process_time())
        return loss

    def read(self):
        return (self.times[-1] - self.times[WARM_UP]) / (len(self.times) - 1 - WARM_UP), [loss.item() for loss in self.losses]


def model():
    """A decoder so small that a trainer's own work is a large part of a step."""
    import torch
    torch.manual_seed(0)
    block = torch.nn.TransformerEncoderLayer(WIDTH, 4, 4 * WIDTH, dropout=0, batch_first=True)
    return torch.nn.Sequential(torch.nn.Embedding(WORDS, WIDTH), torch.nn.TransformerEncoder(block, 2, enable_nested_tensor=False), torch.nn.Linear(WIDTH, WORDS))


def loss_of(network, tokens):
    import torch
    return torch.nn.functional.cross_entropy(network(tokens).flatten(0, 1), tokens.flatten())


def batches(arguments):
    import torch
    texts = torch.randint(WORDS, (arguments.batches * BATCH, TOKENS), generator=torch.Generator().manual_seed(1))
    return [{"tokens": text} for text in texts]


def transformers(arguments):
    import torch
    import transformers as library
    from leakline_probe.transformers import LeaklineCallback

    class Model(torch.nn.Module):
        def __init__(self, clock):
            super().__init__()
            self.network, self.clock = model(), clock

        def forward(self, tokens):
            return {"loss": self.clock.batch(loss_of(self.network, tokens))}

    def train(has_callback):
        clock = Clock()
        settings = library.TrainingArguments(
            output_dir="t", num_train_epochs=1, per_device_train_batch_size=BATCH, gradient_accumulation_steps=2, report_to=[], logging_steps=10,
            save_strategy="no", use_cpu=arguments.device == "cpu", disable_tqdm=True, remove_unused_columns=False)
        trainer = library.Trainer(model=Model(clock), args=settings, train_dataset=batches(arguments), callbacks=[LeaklineCallback()] if has_callback else [])
        trainer.log = lambda *_, **__: None
        trainer.train()
        return clock.read()
    return library.__version__, train


def lightning(arguments):
    import logging
    import warnings

    import lightning.pytorch as library
    import torch
    from leakline_probe.lightning import LeaklineCallback
    logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)
    warnings.filterwarnings("ignore", module="lightning")

    class Model(library.LightningModule):
        def __init__(self, clock):
            super().__init__()
            self.network, self.clock = model(), clock

        def training_step(self, batch, index):
            return self.clock.batch(loss_of(self.network, batch["tokens"]))

        def configure_optimizers(self):
            return torch.optim.AdamW(self.parameters())

    def train(has_callback):
        clock = Clock()
        trainer = library.Trainer(
            max_epochs=1, accelerator="cpu" if arguments.device == "cpu" else "gpu", devices=1, accumulate_grad_batches=2, logger=False,
            enable_checkpointing=False, enable_progress_bar=False, enable_model_summary=False, callbacks=[LeaklineCallback()] if has_callback else [])
        trainer.fit(Model(clock), torch.utils.data.DataLoader(batches(arguments), batch_size=BATCH))
        return clock.read()
    return library.__version__, train


def table(name, rounds, call):
    print("| trainer | ms of CPU a batch, without | the callback adds, quartiles | two without differ by | a call | of a batch |\n|---|--:|--:|--:|--:|--:|")
    without = rounds[KINDS[0]]
    added, noise = (quartiles([one / other - 1 for one, other in zip(rounds[kind], without)]) for kind in KINDS[1:])
    batch = statistics.median(without)
    print(f"| {name} | {batch * 1e3:.2f} | {added} | {noise} | {call * 1e6:.1f} µs | {call / batch * 100:.2f} % |")


def quartiles(shares):
    return " / ".join(f"{share * 100:+.2f} %" for share in statistics.quantiles(shares, n=4))


if __name__ == "__main__":
    main()
