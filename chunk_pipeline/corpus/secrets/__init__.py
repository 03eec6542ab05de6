"""Credentials in what is read: found, and kept out of everything that is stored, as the profile says."""
