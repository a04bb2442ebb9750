"""What commands print, and the streams they print to."""
