"""Read a YAML or JSON text into plain data that knows the place of each value."""
