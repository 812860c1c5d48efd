"""A checked rulebook → finished Markdown that any site generator prints: nothing of ours lives inside the theme."""
