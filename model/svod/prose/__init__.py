"""Norms and rulebook → a document for people: sentences read back from the clauses, references, articles."""
