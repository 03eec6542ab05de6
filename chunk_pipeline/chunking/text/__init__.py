"""Any text: tokens, boundaries, sentences, meaning; what every other strategy falls back on."""
