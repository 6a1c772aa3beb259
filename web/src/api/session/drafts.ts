const prefix = 'draft:';

/** What was typed into a form and not sent yet, from before a reload; null when there is nothing. */
export function readDraft(name: string): Record<string, string> | null {
  const json = sessionStorage.getItem(prefix + name);
  return json === null ? null : (JSON.parse(json) as Record<string, string>);
}

/** Keeps what is typed for as long as this tab and this session last. */
export function keepDraft(name: string, values: Record<string, string>): void {
  sessionStorage.setItem(prefix + name, JSON.stringify(values));
}

/** Forgets what was typed: it is sent, or given up. */
export function dropDraft(name: string): void {
  sessionStorage.removeItem(prefix + name);
}
