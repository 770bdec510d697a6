"""An image model trains with a shadow copy that follows its weights in place, validated by the shadow every five steps."""
import os

import timm
import timm.utils
import torch

# @truth {"verdict": "no_leak", "cause": "retained_state", "steps": 14, "library": "timm", "recording": "python stacks"}
STEPS = int(os.environ.get("STEPS", 14))


def main():
    torch.cuda.memory._record_memory_history(stacks="python")
    model = timm.create_model("test_vit", pretrained=False, num_classes=5, depth=1).cuda()
    shadow = timm.utils.ModelEmaV2(model, decay=0.99)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step in range(STEPS):
        loss = model(torch.randn(2, 3, 160, 160, device="cuda")).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        shadow.update(model)
        if step % 5 == 4:
            with torch.no_grad():
                shadow.module.eval()(torch.randn(4, 3, 160, 160, device="cuda")).argmax(-1).cpu()
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
