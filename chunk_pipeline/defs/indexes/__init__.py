"""Indexes over all repositories, one of each kind a strategy."""
