const namedTables = 4;

/** What a statement does to which tables, such as `select account, session`. It never contains values from the text. */
export function statementName(text: string): string {
  const plain = text.replaceAll(/\/\*[^*]*\*\//g, '').trimStart();
  const [verb = ''] = /^[a-z]+/i.exec(plain) ?? [];
  const tables = [...plain.matchAll(/\b(?:from|join|into|update)\s{1,20}"?([a-z]\w{0,62})/gi)].map(([, name]) => name);
  return `${verb.toLowerCase()} ${[...new Set(tables)].slice(0, namedTables).join(', ')}`.trim();
}
