"""Two networks, two optimizers; the critic trains on a detached sample, the generator through the critic. Recording begins late."""
import torch
from lib.nets import Mlp

TRUTH = {"verdict": "no_leak", "cause": "warm_up", "steps": 50}
RECORDS_ITSELF = True


def critic_step(critic, optimizer, real, fake):
    optimizer.zero_grad()
    (critic(fake.detach()).mean() - critic(real).mean()).backward()
    optimizer.step()


def generator_step(critic, optimizer, fake):
    optimizer.zero_grad()
    (-critic(fake).mean()).backward()
    optimizer.step()


def main():
    generator, critic = Mlp(160, 3, 256).cuda(), Mlp(256, 2, 1).cuda()
    for_generator = torch.optim.Adam(generator.parameters(), fused=True)
    for_critic = torch.optim.Adam(critic.parameters(), fused=True)
    torch.cuda.memory._record_memory_history(max_entries=1_000_000, stacks="python")
    for _ in range(50):
        fake = generator(torch.randn(48, 160, device="cuda"))
        critic_step(critic, for_critic, torch.randn(48, 256, device="cuda"), fake)
        generator_step(critic, for_generator, fake)
