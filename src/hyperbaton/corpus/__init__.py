"""Files to items: aligned text, tables, CoNLL-U, M2, TMX, XLIFF, SGM, sacreBLEU's test sets."""
