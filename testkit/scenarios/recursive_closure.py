"""An inner function that calls itself is a cycle of its own, and it closes over the table: the collector has to come for both."""
import torch

TRUTH = {"verdict": "cycle", "cause": "reference_cycle", "steps": 1000}
TREE = ((0, 1), 2)


def pool(tree, rows):
    table = torch.zeros(rows, 320, device="cuda")  # @site

    def visit(node):
        if isinstance(node, int):
            return table[node]
        return torch.stack([visit(child) for child in node]).amax(0)  # @holder
    return visit(tree).tolist()


def main():
    for number in range(1000):
        pool(TREE, 40 + number % 7)
