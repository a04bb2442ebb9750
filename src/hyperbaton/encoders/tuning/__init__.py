"""Fine-tuning of any encoder on labelled texts: a checkpoint an epoch, to be chosen from later."""
