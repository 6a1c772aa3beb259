/** The fields of a CSV text, line after line; quotes may hold commas, line breaks and doubled quotes. */
export function fieldsOf(text: string): string[][] {
  const lines: string[][] = [];
  let line: string[] = [];
  let field = '';
  let isQuoted = false;
  const endField = () => {
    line.push(field);
    field = '';
  };
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at];
    if (isQuoted) {
      if (letter !== '"') field += letter;
      else if (text[at + 1] === '"') {
        field += '"';
        at += 1;
      } else isQuoted = false;
    } else if (letter === '"') isQuoted = true;
    else if (letter === ',') endField();
    else if (letter === '\n') {
      endField();
      lines.push(line);
      line = [];
    } else if (letter !== '\r') field += letter;
  }
  if (field !== '' || line.length > 0) {
    endField();
    lines.push(line);
  }
  return lines;
}

/** The lines of a CSV text below its header, as objects with the header's names in lower case. */
export function recordsOf(text: string): Record<string, string>[] {
  const [header, ...lines] = fieldsOf(text.replace(/^\uFEFF/, ''));
  const names = (header ?? []).map((name) => name.trim().toLowerCase());
  return lines
    .filter((line) => line.some((field) => field !== ''))
    .map((line) => Object.fromEntries(names.map((name, column) => [name, (line[column] ?? '').trim()])));
}
