"""Playthroughs of OpenSpiel, told as games.

Input: the text of playthroughs. Output: their games, and what each state lists as legal.
Guarantee: a playthrough that contradicts itself is told up to that place.
"""
