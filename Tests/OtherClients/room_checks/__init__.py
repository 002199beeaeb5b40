"""Rooms: who gets in, who may do what there, who talks."""
