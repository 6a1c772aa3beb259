const offsets = new Map<string, number>();

/** How far a list was scrolled at this place in the browser's history; 0 when it was not there yet. */
export function rememberedOffset(place: string): number {
  return offsets.get(place) ?? 0;
}

/** Keeps how far a list is scrolled, for when Back leads here. */
export function rememberOffset(place: string, offset: number): void {
  offsets.set(place, offset);
}
