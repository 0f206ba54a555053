"""How often what is printed is true, by games drawn with known win rates.

Games are drawn by chance and given to the very functions that commands call. Each line
is one kind of figure: the worst of several cases, in which its interval holds the true
value least often, or its claim is wrong most often.
"""
