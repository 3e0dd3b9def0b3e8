"""What is drawn here: charts, films, and the look that all pages share, without any library."""
