"""A rule set in the words of players: what they try to do, a turn in its order, and sentences made from messages."""
