"""Long work in chunks: ranges of numbered units whose tallies add up, so that it can be stopped, resumed, merged and shared."""
