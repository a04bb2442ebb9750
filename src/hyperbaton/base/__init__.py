"""What programs are about: names, errors, files, processes, progress, random draws."""
