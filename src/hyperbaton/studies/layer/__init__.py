"""What several studies share: experiments, samples, aggregates, rankings, claims, contents."""
