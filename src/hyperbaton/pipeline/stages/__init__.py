"""What is done to each part of a run: parse, perturb, translate, score."""
