"""What regular expressions cost: every one that reads what others have written takes linear time, whatever they write.

steps.py          a small backtracking engine that takes the same decisions as ``re`` and counts its steps
worst.py          inputs that are likely to be the worst for an expression, made from the expression itself
sources.py        finds every expression in the packages
whose.py          the table of them: whose bytes each reads, and how it is asked
"""
