"""What tests are made of: scripted packs, tables to begin with, players who act by chance."""
