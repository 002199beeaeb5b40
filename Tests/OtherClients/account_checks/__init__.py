"""Checks of accounts against servers of our own, with a mailbox and an issuer of identities beside them."""
