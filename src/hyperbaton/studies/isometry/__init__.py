"""Isometry: does meaning equivalence survive translation? (Shankar 2021)"""
