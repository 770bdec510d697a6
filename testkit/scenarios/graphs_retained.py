"""backward(retain_graph=True), because the sample's graph is used twice, and the losses go into a list: no critic's graph is freed."""
import torch
from lib.nets import mlp

TRUTH = {"verdict": "leak", "cause": "autograd_graph_kept", "steps": 70, "bytes_per_step": 55808}


def critic_turn(generator, critic, losses):
    noise = torch.randn(24, 128, device="cuda")
    sample = generator(noise)  # @site
    loss = critic(sample).mean()  # @site
    loss.backward(retain_graph=True)
    losses.append(loss)  # @holder
    return sample


def main():
    generator, critic = mlp(128, 2, 192).cuda(), mlp(192, 2, 1).cuda()
    optimizers = [torch.optim.SGD(net.parameters(), lr=0.01) for net in (generator, critic)]
    losses = []
    for _ in range(70):
        for optimizer in optimizers:
            optimizer.zero_grad()
        sample = critic_turn(generator, critic, losses)
        sample.std().backward()
        for optimizer in optimizers:
            optimizer.step()
    main.losses = losses
