"""Chooses the kernel of attention as CUDA does."""
from __future__ import annotations

from typing import Any


def choose_attention(torch: Any) -> None:
    """Chooses the kernel of attention as CUDA does, which asks the GPU: flash attention in half precision without a mask, else the memory-efficient one."""
    functional, aten = torch.nn.functional, torch.ops.aten
    plain = functional.scaled_dot_product_attention

    def attend(query: Any, key: Any, value: Any, attn_mask: Any = None, dropout_p: float = 0.0, is_causal: bool = False, scale: Any = None,
               enable_gqa: bool = False) -> Any:
        if query.device.type != "cuda" or query.dim() != 4 or enable_gqa or (attn_mask is not None and attn_mask.requires_grad):
            return plain(query, key, value, attn_mask, dropout_p, is_causal, scale=scale, enable_gqa=enable_gqa)
        if torch.is_autocast_enabled("cuda"):
            kind = torch.get_autocast_dtype("cuda")
            query, key, value = query.to(kind), key.to(kind), value.to(kind)
            attn_mask = attn_mask.to(kind) if attn_mask is not None and attn_mask.is_floating_point() else attn_mask
        if query.dtype in (torch.float16, torch.bfloat16) and attn_mask is None and query.shape[-1] <= 256:
            return aten._scaled_dot_product_flash_attention(query, key, value, dropout_p, is_causal, False, scale=scale)[0]
        if attn_mask is not None:
            if attn_mask.dtype is torch.bool:
                attn_mask = torch.zeros_like(attn_mask, dtype=query.dtype).masked_fill_(attn_mask.logical_not(), float("-inf"))
            attn_mask = attn_mask.expand(query.shape[0], query.shape[1], query.shape[2], key.shape[2])
        with_sums = torch.is_grad_enabled() and any(each.requires_grad for each in (query, key, value))
        return aten._scaled_dot_product_efficient_attention(query, key, value, attn_mask, with_sums, dropout_p, is_causal, scale=scale)[0]
    functional.scaled_dot_product_attention = attend
