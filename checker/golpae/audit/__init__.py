"""Audit the deals of recorded games: is this what shuffling gives?"""
