"""The Python API: functions that do what the commands do, by their topics."""
