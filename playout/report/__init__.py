"""Reports: plain data, and the same as text, Markdown and HTML with charts."""
