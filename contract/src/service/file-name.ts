import { folded } from '../folding.ts';

/** The plain Latin letters and digits of a text, for a file name. */
export const plainName = (text: string): string =>
  folded(text)
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');

/** The name of a downloaded file: the service's name, if it has Latin letters, and the content of the file. */
export const fileOf = (service: string, rest: string): string => `${plainName(service) || 'service'}-${rest}`;
