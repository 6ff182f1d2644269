"""The archive: closed tables outside the store, each in one file that can be audited without a server."""
