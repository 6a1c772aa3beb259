const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether `text` is a UUID, so that a query with it can't fail because of its type. */
export function isUuid(text: string): boolean {
  return uuid.test(text);
}
