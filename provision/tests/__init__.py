"""Tests of what the sessions stand on."""
