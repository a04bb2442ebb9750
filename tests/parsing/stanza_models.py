"""Stanza models in miniature, trained on the spot with Stanza's own trainers."""

from __future__ import annotations

import json
from pathlib import Path

from tests.parsing.treebank import conllu, sentences, texts

__all__ = ["train"]

SMALL = [
    *("--hidden_dim", "32", "--char_hidden_dim", "16", "--char_emb_dim", "16"),
    *("--deep_biaff_hidden_dim", "32", "--transformed_dim", "16", "--num_layers", "1"),
]
SHORT = ["--max_steps", "80", "--eval_interval", "80", "--log_step", "80", "--batch_size", "100"]


def train(folder: Path) -> None:
    """A folder as `stanza.download` would leave it: a small package of French, also called `no`."""
    import torch

    torch.set_num_threads(1)
    work, models = folder / "work", folder / "fr"
    work.mkdir(parents=True)
    (work / "all.conllu").write_text(conllu(), encoding="utf-8")
    vectors = _vectors(work, models / "pretrain" / "tiny.pt")
    _tokenizer(work, models / "tokenize")
    _contractions(work, models / "mwt")
    _trees(work, models, vectors)
    (folder / "resources.json").write_text(json.dumps({"fr": _resources(), "no": {"alias": "fr"}}))


def _resources() -> dict[str, object]:
    needs = {"tiny": {"dependencies": [{"model": "pretrain", "package": "tiny"}]}}
    default = dict.fromkeys(("tokenize", "mwt", "pos", "depparse"), "tiny")
    return {
        "lang_name": "French",
        "tokenize": {"tiny": {}},
        "mwt": {"tiny": {}},
        "pos": needs,
        "depparse": needs,
        "pretrain": {"tiny": {}},
        "packages": {"default": default | {"lemma": "identity"}},
    }


def _vectors(work: Path, save: Path) -> Path:
    from stanza.models.common.pretrain import Pretrain

    words = sorted({row[0].lower() for sentence in sentences() for row in sentence})
    lines = [
        " ".join([word, *(str(float(i % (k + 2) == 0)) for k in range(8))])
        for i, word in enumerate(words)
    ]
    text = work / "vectors.txt"
    text.write_text(f"{len(words)} 8\n" + "\n".join(lines) + "\n", encoding="utf-8")
    Pretrain(str(save), str(text)).load()
    return save


def _tokenizer(work: Path, save: Path) -> None:
    from stanza.models import tokenizer

    paired = [" ".join(texts()[i : i + 2]) for i in range(len(texts()) - 1)]
    (work / "raw.txt").write_text("\n\n".join(paired) + "\n\n", encoding="utf-8")
    (work / "raw.label").write_text("\n\n".join(map(_labels, paired)) + "\n\n")
    (work / "mwt.json").write_text(json.dumps([[["au", ["à", "le"]], 1]]))
    tokenizer.main(
        [
            *("--txt_file", f"{work}/raw.txt", "--label_file", f"{work}/raw.label"),
            *("--mwt_json_file", f"{work}/mwt.json", "--dev_txt_file", f"{work}/raw.txt"),
            *("--dev_label_file", f"{work}/raw.label", "--dev_conll_gold", f"{work}/all.conllu"),
            *("--lang", "fr", "--shorthand", "fr_tiny", "--save_dir", str(save)),
            *("--save_name", "tiny.pt", "--steps", "120", "--eval_steps", "1000"),
            *("--hidden_dim", "16", "--emb_dim", "8", "--lr0", "0.02", "--batch_size", "8"),
            *("--dropout", "0", "--unit_dropout", "0", "--feat_unit_dropout", "0"),
        ]
    )


def _labels(text: str) -> str:
    """Stanza's code for each character: 1 ends a token, 2 a sentence, 3 a contraction."""
    labels = ["0"] * len(text)
    for i, character in enumerate(text):
        following = text[i + 1 : i + 2]
        if character == ".":
            labels[i] = "2"
        elif character != " " and following in (" ", "."):
            labels[i] = "3" if text[: i + 1].endswith(" au") else "1"
    return "".join(labels)


def _contractions(work: Path, save: Path) -> None:
    from stanza.models import mwt_expander

    data = f"{work}/all.conllu"
    mwt_expander.main(
        [
            *("--train_file", data, "--eval_file", data, "--gold_file", data, "--dict_only"),
            *("--output_file", f"{work}/out.conllu", "--lang", "fr", "--shorthand", "fr_tiny"),
            *("--save_dir", str(save), "--save_name", "tiny.pt"),
        ]
    )


def _trees(work: Path, models: Path, vectors: Path) -> None:
    from stanza.models import parser, tagger

    data = f"{work}/all.conllu"
    for trainer, name in ((tagger, "pos"), (parser, "depparse")):
        trainer.main(
            [
                *("--train_file", data, "--eval_file", data, "--output_file", f"{work}/o.conllu"),
                *("--wordvec_pretrain_file", str(vectors), "--lang", "fr"),
                *("--shorthand", "fr_tiny", "--save_dir", str(models / name)),
                *("--save_name", "tiny.pt", "--augment_nopunct", "0.0", *SMALL, *SHORT),
            ]
        )
