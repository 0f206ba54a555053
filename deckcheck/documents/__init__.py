"""Read one YAML or JSON text into plain data that knows where each value stands."""
