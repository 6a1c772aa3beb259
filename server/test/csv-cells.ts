/** The cell separators that spreadsheets in different countries use. */
export const separators = [',', ';', '\t'] as const;

/** How readers treat a quote within a cell: as text, or as the start of a quoted part, in which separators are text. */
type QuoteRule = 'atStart' | 'anywhere';

/**
 * The cells of a CSV text as RFC 4180 describes them, even with other separators. Like spreadsheets, it continues where the text breaks the
 * rules: what follows a closing quote belongs to the cell.
 */
function cellsOf(text: string, separator: string, rule: QuoteRule): string[] {
  const cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  let isAtStart = true;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (text.charAt(at + 1) === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (character === '"' && (isAtStart || rule === 'anywhere')) {
      isQuoted = true;
    } else if (character === separator || character === '\n' || text.startsWith('\r\n', at)) {
      cells.push(cell);
      cell = '';
      if (character === '\r') at += 1;
      isAtStart = true;
      continue;
    } else cell += character;
    isAtStart = false;
  }
  return [...cells, cell];
}

/**
 * The cells that a reader with this separator would treat as formulas, including after spaces and with either quote
 * rule.
 */
export function formulaCells(text: string, separator: string): string[] {
  const withoutMark = text.replace(/^\uFEFF/, '');
  return (['atStart', 'anywhere'] as const)
    .flatMap((rule) => cellsOf(withoutMark, separator, rule))
    .filter((cell) => /^\s*[=+\-@\t\r＝＋－＠]/u.test(cell));
}
