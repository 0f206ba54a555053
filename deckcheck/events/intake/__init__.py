"""Lists as they arrive, by mail and by forms, turned into a folder of lists."""
