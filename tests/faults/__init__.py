"""Crashes, full disks, broken encoders: the old state or the new one, and the next run converges."""
