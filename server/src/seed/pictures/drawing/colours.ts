/** The colours that all demo pictures share: those of the product, and what goes with them. */
export const palette = {
  red: '#972f33',
  brick: '#b8503d',
  terracotta: '#cf7c54',
  honey: '#e2a542',
  mustard: '#c58d2f',
  cream: '#f7efdf',
  sand: '#dcc8a4',
  moss: '#6d7c46',
  olive: '#4b5734',
  sage: '#a8b590',
  forest: '#33603f',
  dusk: '#4e6583',
  navy: '#2c3d55',
  powder: '#aabfcc',
  plum: '#6a3b4e',
  rose: '#dba297',
  charcoal: '#3b3432',
  white: '#fffaf1',
} as const;

type Channels = [red: number, green: number, blue: number];

/** Red, green and blue of `#rrggbb`, 0…255. */
export function channelsOf(colour: string): Channels {
  const all = Number.parseInt(colour.slice(1, 7), 16);
  return [all >>> 16, (all >>> 8) & 255, all & 255];
}

/** The opacity of `#rrggbbaa`, 0…1; 1 without one. */
export function opacityOf(colour: string): number {
  return colour.length === 9 ? Number.parseInt(colour.slice(7), 16) / 255 : 1;
}

const hex = (value: number) => Math.round(value).toString(16).padStart(2, '0');

/** `share` (0…1) of the way from one colour to the other. */
export function mix(from: string, to: string, share: number): string {
  const a = channelsOf(from);
  const b = channelsOf(to);
  return `#${a.map((value, i) => hex(value + ((b[i] ?? 0) - value) * share)).join('')}`;
}

/** In a warm shadow. */
export const darker = (colour: string, share: number) => mix(colour, '#2b1519', share);

/** In warm light. */
export const lighter = (colour: string, share: number) => mix(colour, '#fff2dc', share);

/** How far two colours are apart to the eye, about 0…765. */
export function distance(one: string, other: string): number {
  const [r1, g1, b1] = channelsOf(one);
  const [r2, g2, b2] = channelsOf(other);
  return Math.sqrt(2 * (r1 - r2) ** 2 + 4 * (g1 - g2) ** 2 + 3 * (b1 - b2) ** 2);
}

/** How bright a colour is, 0…255. */
export function brightness(colour: string): number {
  const [r, g, b] = channelsOf(colour);
  return 0.3 * r + 0.59 * g + 0.11 * b;
}
