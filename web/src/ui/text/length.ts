/** How many characters the service counts in a text: an emoji is one, and so is a letter with its accent. */
export const lengthOf = (text: string): number => [...text.normalize('NFC')].length;

/** The `maxLength` of an input in which `most` characters fit, whatever they are: browsers count UTF-16 units. The service refuses more. */
export const unitsFor = (most: number): number => 2 * most;
