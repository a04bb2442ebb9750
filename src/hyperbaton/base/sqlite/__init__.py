"""SQLite files that several processes share: opened, checked, and written anew when damaged."""
