import { folded } from '../folding.ts';

/** A text in the plain Latin letters and digits that it has, for the name of a file. */
export const plainName = (text: string): string =>
  folded(text)
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');

/** The name of a file that people save: the service's name, if it has Latin letters, and what the file is. */
export const fileOf = (service: string, rest: string): string => `${plainName(service) || 'service'}-${rest}`;
