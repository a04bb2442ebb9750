"""Fine-tuning of encoders on labelled texts."""
