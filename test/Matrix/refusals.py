"""x"""
import re
REFUSALS = []
def message(cell):
    for pattern, message in REFUSALS:
        if re.search(pattern, str(cell)): return message
    return ""
