/** The number of characters as the service counts them: an emoji counts as one, and so does a letter with an accent. */
export const lengthOf = (text: string): number => [...text.normalize('NFC')].length;

/**
 * A `maxLength` that allows `most` characters of any kind, because browsers count UTF-16 units. The service checks the
 * exact limit.
 */
export const unitsFor = (most: number): number => 2 * most;
