/** The two colours of a brand: buttons and accents in the light scheme, and accents in the dark one. */
export interface BrandColours {
  light: string;
  dark: string;
}

/** The backgrounds of accent-coloured text in each scheme, as in the web app's `tokens.css`. */
export const grounds = {
  light: ['#fcf8f3', '#ffffff', '#f5ede4'],
  dark: ['#15100e', '#201916', '#2b221e', '#0f0b0a'],
} as const;

type Scheme = keyof typeof grounds;

/** WCAG AA for text. */
const leastContrast = 4.5;

const channels = (hex: string) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));

/** A colour mixed with a part of another one, from 0 to 1. */
export function mixed(colour: string, other: string, part: number): string {
  const others = channels(other);
  const both = channels(colour).map((value, index) => Math.round(value * (1 - part) + (others[index] ?? 0) * part));
  return `#${both.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = channels(hex)
    .map((value) => value / 255)
    .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast of two colours as defined by WCAG 2.2, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

/** The background of selected items, on which the accent colour is also used for text. */
const softOf = (scheme: Scheme, accent: string) => mixed(accent, grounds[scheme][1], scheme === 'light' ? 0.87 : 0.8);

/**
 * Whether text in this colour is readable on every background of the scheme. In the light scheme, it is also the colour of buttons with
 * white text.
 */
export const isReadable = (scheme: Scheme, accent: string): boolean =>
  [...grounds[scheme], softOf(scheme, accent)].every((ground) => contrast(accent, ground) >= leastContrast);

/** The colour itself if it is readable, or else the nearest darker (light scheme) or lighter (dark scheme) one that is. */
export function nearestReadable(scheme: Scheme, accent: string): string {
  const end = scheme === 'light' ? '#000000' : '#ffffff';
  const steps = Array.from({ length: 101 }, (_, step) => mixed(accent, end, step / 100));
  return steps.find((colour) => isReadable(scheme, colour)) ?? end;
}

/** Ten shades of a brand, from light to dark, in the order that Mantine expects. */
export function shadesOf({ light, dark }: BrandColours) {
  const [white, black] = ['#ffffff', '#000000'];
  return [
    mixed(light, white, 0.93),
    mixed(light, white, 0.84),
    mixed(dark, white, 0.4),
    dark,
    mixed(dark, light, 0.3),
    mixed(dark, light, 0.55),
    mixed(dark, light, 0.8),
    light,
    mixed(light, black, 0.18),
    mixed(light, black, 0.36),
  ] as const;
}

/** The brand's mark on dark grounds, as light as it can be below the white text of the landing page's buttons. */
const darkMark = ({ light, dark }: BrandColours) =>
  [0.3, 0.2, 0.1].map((part) => mixed(light, dark, part)).find((mark) => contrast(mark, '#ffffff') >= leastContrast) ??
  light;

/** The design tokens of a brand's colours as CSS; none for the product's own. Only checked colours may be passed here. */
export function tokensOf(colours: BrandColours | null): string {
  if (colours === null) return '';
  const { light, dark } = colours;
  const black = '#000000';
  const ember = `radial-gradient(circle at 50% 130%, ${mixed(light, '#ffffff', 0.3)} 0%, ${light} 36%, ${mixed(light, black, 0.3)} 68%, ${mixed(light, black, 0.6)} 100%)`;
  const tokens = (accent: string, scheme: Scheme, mark: string) =>
    `--hw-accent:${accent};--hw-accent-soft:${softOf(scheme, accent)};--hw-mark:${mark};--hw-chart-1:${accent};--hw-ember:${ember}`;
  return `:root:root{${tokens(light, 'light', light)}}:root[data-mantine-color-scheme='dark']:root{${tokens(dark, 'dark', darkMark(colours))}}`;
}
