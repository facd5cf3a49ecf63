"""Mass play, statistics, and what is learned from them."""
