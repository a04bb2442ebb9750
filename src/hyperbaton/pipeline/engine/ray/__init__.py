"""A run on a Ray cluster: workers write the parts, the driver only says what is next."""
