"""Conversations: exports of chats with an assistant, by message."""
