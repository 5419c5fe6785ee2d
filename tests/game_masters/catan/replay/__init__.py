"""The replay of logs."""
