"""Training of twelve models of libraries, for estimates.py: library_models.py NAME [SNAPSHOT]. Prints the peaks that torch counts."""
import json
import sys

import torch


def text(kind, settings, batch=8, length=256, words=8000, half=False):
    """A model of transformers, as its own configuration builds it."""
    import transformers
    model = getattr(transformers, kind)(settings(transformers)).cuda()
    data = {"input_ids": torch.randint(words, (batch, length)), "labels": torch.randint(words, (batch, length))}
    return model, lambda: model(**{name: each.cuda() for name, each in data.items()}).loss, half


def pictures(name, batch, size=224, half=False, **options):
    """A model of timm."""
    import timm
    model = timm.create_model(name, pretrained=False, num_classes=100, **options).cuda()
    data, wanted = torch.randn(batch, 3, size, size), torch.randint(100, (batch,))
    return model, lambda: torch.nn.functional.cross_entropy(model(data.cuda()), wanted.cuda()), half


def classified():
    import transformers
    settings = transformers.BertConfig(vocab_size=12000, hidden_size=512, num_hidden_layers=6, num_attention_heads=8, intermediate_size=2048, num_labels=5)
    model = transformers.BertForSequenceClassification(settings).cuda()
    data = {"input_ids": torch.randint(12000, (16, 256)), "attention_mask": torch.ones(16, 256, dtype=torch.long), "labels": torch.randint(5, (16,))}
    return model, lambda: model(**{name: each.cuda() for name, each in data.items()}).loss, False


def seen():
    import transformers
    settings = transformers.ViTConfig(hidden_size=384, num_hidden_layers=8, num_attention_heads=6, intermediate_size=1536, num_labels=50)
    model = transformers.ViTForImageClassification(settings).cuda()
    data, wanted = torch.randn(24, 3, 224, 224), torch.randint(50, (24,))
    return model, lambda: model(pixel_values=data.cuda(), labels=wanted.cuda()).loss, False


MODELS = {
    "bert": classified,
    "bert_masked": lambda: text("BertForMaskedLM", lambda t: t.BertConfig(vocab_size=20000, hidden_size=512, num_hidden_layers=4, num_attention_heads=8,
                                                                        intermediate_size=2048), 8, 256, 20000),
    "gpt2": lambda: text("GPT2LMHeadModel", lambda t: t.GPT2Config(vocab_size=20000, n_embd=512, n_layer=6, n_head=8), 6, 512, 20000),
    "gpt2_half": lambda: text("GPT2LMHeadModel", lambda t: t.GPT2Config(vocab_size=30000, n_embd=768, n_layer=6, n_head=12), 8, 384, 30000, True),
    "llama": lambda: text("LlamaForCausalLM", lambda t: t.LlamaConfig(
        vocab_size=16000, hidden_size=768, intermediate_size=2048, num_hidden_layers=6, num_attention_heads=12, num_key_value_heads=4), 4, 512, 16000),
    "llama_half": lambda: text("LlamaForCausalLM", lambda t: t.LlamaConfig(
        vocab_size=32000, hidden_size=1024, intermediate_size=2816, num_hidden_layers=4, num_attention_heads=16), 4, 640, 32000, True),
    "t5": lambda: text("T5ForConditionalGeneration", lambda t: t.T5Config(
        vocab_size=16000, d_model=512, d_ff=2048, num_layers=4, num_heads=8, decoder_start_token_id=0), 8, 256, 16000),
    "vit": seen,
    "resnet": lambda: pictures("resnet50", 24),
    "convnext": lambda: pictures("convnext_tiny", 16, half=True),
    "timm_vit": lambda: pictures("vit_small_patch16_224", 32),
    "efficientnet": lambda: pictures("efficientnet_b0", 32),
}


def main():
    torch.manual_seed(0)
    if sys.argv[2:]:
        torch.cuda.memory._record_memory_history(stacks="python")
    torch.backends.cudnn.enabled = False
    model, loss_of, half = MODELS[sys.argv[1]]()
    model.train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    for _ in range(2):
        with torch.autocast("cuda", torch.bfloat16, enabled=half):
            loss = loss_of()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if sys.argv[2:]:
        torch.cuda.memory._dump_snapshot(sys.argv[2])
    print(json.dumps({"live": torch.cuda.max_memory_allocated(), "reserved": torch.cuda.max_memory_reserved()}))


if __name__ == "__main__":
    main()
