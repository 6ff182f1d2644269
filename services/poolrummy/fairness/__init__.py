"""Where chance comes from, and how everybody can check it: the deck transcript, version 1.

``README.md`` beside this file says the same byte by byte, for who writes a verifier of his own.
"""
