/** The names of the parts of a body that differ from those of another. */
export function changedParts(before: object, now: object): string[] {
  const parts = new Map<string, unknown>(Object.entries(before));
  return Object.entries(now)
    .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(parts.get(name)))
    .map(([name]) => name);
}

/** The parts of a body with these names. */
export function onlyParts<T extends object>(body: T, names: readonly string[]): T {
  return Object.fromEntries(Object.entries(body).filter(([name]) => names.includes(name))) as T;
}
