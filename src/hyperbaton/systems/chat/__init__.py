"""Chat models behind servers that speak the OpenAI protocol."""
