"""Every claim of the register on made data: some where it holds, and some where it does not."""
