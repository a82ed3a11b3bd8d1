"""Figures for people: tables of text and of HTML, numbers and names in sentences."""
