"""SpecStory: conversations with other assistants, saved as Markdown."""
