"""Tests of pictures that masters describe."""
