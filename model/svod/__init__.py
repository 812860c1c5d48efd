"""Svod: rulebooks of card games as one typed meaning, from which an engine, constraints and prose follow."""
