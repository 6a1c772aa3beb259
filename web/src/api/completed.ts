/**
 * An answer with `defaults` for fields that are missing, or null where a value is always expected: one incomplete row
 * must not break a whole screen.
 */
export function completed<T extends object>(
  given: { [K in keyof T]?: T[K] | null | undefined } | null,
  defaults: T,
): T {
  const missing = Object.keys(defaults).filter((key) => (given?.[key as keyof T] ?? null) === null);
  return { ...(given as T), ...Object.fromEntries(missing.map((key) => [key, defaults[key as keyof T]])) };
}
