export const pictureWidth = 1200;
export const pictureHeight = 1500;

/** The colours that all demo pictures share: those of the product and matching ones. */
export const palette = {
  red: '#972f33',
  brick: '#b8503d',
  terracotta: '#cf7c54',
  honey: '#e2a542',
  cream: '#f7efdf',
  sand: '#dcc8a4',
  moss: '#6d7c46',
  sage: '#a8b590',
  forest: '#33603f',
  dusk: '#4e6583',
  navy: '#2c3d55',
  powder: '#aabfcc',
  rose: '#dba297',
  charcoal: '#3b3432',
  white: '#fffaf1',
} as const;

/** Red, green and blue of `#rrggbb`, 0…255. */
export function channelsOf(colour: string): [red: number, green: number, blue: number] {
  const all = Number.parseInt(colour.slice(1, 7), 16);
  return [all >>> 16, (all >>> 8) & 255, all & 255];
}

/** The colour at `share` (0…1) of the way from one colour to the other. */
export function mix(from: string, to: string, share: number): string {
  const other = channelsOf(to);
  const mixed = channelsOf(from).map((value, i) => Math.round(value + ((other[i] ?? 0) - value) * share));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

/** The colour in a warm shadow. */
export const darker = (colour: string, share: number) => mix(colour, '#2b1519', share);

/** The colour in warm light. */
export const lighter = (colour: string, share: number) => mix(colour, '#fff2dc', share);

/** How bright a colour is, 0…255. */
export function brightness(colour: string): number {
  const [r, g, b] = channelsOf(colour);
  return 0.3 * r + 0.59 * g + 0.11 * b;
}

/** How different two colours look, about 0…765. */
export function distance(one: string, other: string): number {
  const [r, g, b] = channelsOf(one);
  const [r2, g2, b2] = channelsOf(other);
  return Math.sqrt(2 * (r - r2) ** 2 + 4 * (g - g2) ** 2 + 3 * (b - b2) ** 2);
}

/** A fill that changes over the box of its shape; its stops are spread evenly, `#rrggbb` or `#rrggbbaa`. */
interface Gradient {
  direction: 'down' | 'across' | 'slant' | 'glow';
  stops: readonly string[];
}

export type Paint = string | Gradient;

export const down = (...stops: string[]): Gradient => ({ direction: 'down', stops });
export const across = (...stops: string[]): Gradient => ({ direction: 'across', stops });
export const slant = (...stops: string[]): Gradient => ({ direction: 'slant', stops });
export const glow = (...stops: string[]): Gradient => ({ direction: 'glow', stops });

function gradientTag({ direction, stops }: Gradient, id: string): string {
  const inner = stops.map((stop, i) => {
    const opacity = stop.length === 9 ? Number.parseInt(stop.slice(7), 16) / 255 : 1;
    return `<stop offset="${i / Math.max(1, stops.length - 1)}" stop-color="${stop.slice(0, 7)}" stop-opacity="${opacity}"/>`;
  });
  if (direction === 'glow') return `<radialGradient id="${id}">${inner.join('')}</radialGradient>`;
  const end = `x2="${direction === 'down' ? 0 : 1}" y2="${direction === 'across' ? 0 : 1}"`;
  return `<linearGradient id="${id}" x1="0" y1="0" ${end}>${inner.join('')}</linearGradient>`;
}

/** One decimal is enough at this size, and hides rounding differences between computers. */
const short = (value: number) => String(Math.round(value * 10) / 10);

/** SVG path data with its numbers shortened. */
export function d(texts: TemplateStringsArray, ...values: (number | string)[]): string {
  return String.raw({ raw: texts }, ...values.map((value) => (typeof value === 'number' ? short(value) : value)));
}

/** Two numbers that belong together: a place, or lengths across and down. */
export type Point = readonly [x: number, y: number];

/** The placement of a part of a drawing: turned and scaled around `about`, then moved by `x` and `y`. */
interface Placing {
  x?: number;
  y?: number;
  scale?: number;
  /** Degrees, clockwise. */
  turn?: number;
  /** Swaps left and right. */
  mirror?: boolean;
  about?: Point;
}

/** An SVG that is drawn from back to front. */
export interface Sheet {
  path(data: string, fill: Paint, opacity?: number): void;
  /** A line with round ends. */
  line(data: string, colour: string, width: number, opacity?: number): void;
  oval(middle: Point, radii: Point, fill: Paint, opacity?: number): void;
  box(corner: Point, size: Point, fill: Paint, look?: { round?: number; opacity?: number }): void;
  /** Draws something at another place. */
  placed<T>(placing: Placing, draw: () => T): T;
  /** Draws only inside the outline. */
  clipped(outline: string, draw: () => void): void;
  /** Draws once as it is and once mirrored. */
  bothSides(draw: (side: -1 | 1) => void): void;
  svg(): string;
}

/** An empty sheet of 1200 × 1500. */
export function newSheet(): Sheet {
  const defs = new Map<string, string>();
  const body: string[] = [];
  const define = (tag: (id: string) => string) => {
    const key = tag('');
    const id = defs.get(key) ?? `d${defs.size}`;
    defs.set(key, id);
    return `url(#${id})`;
  };
  const group = <T>(attribute: string, draw: () => T): T => {
    body.push(`<g ${attribute}>`);
    const drawn = draw();
    body.push('</g>');
    return drawn;
  };
  // The opacity of a fill is cheap; that of an element creates another layer as large as the picture.
  const painted = (paint: Paint, opacity: number) => {
    const fill = typeof paint === 'string' ? paint : define((id) => gradientTag(paint, id));
    return `fill="${fill}" fill-opacity="${opacity}"`;
  };
  const sheet: Sheet = {
    path: (data, fill, opacity = 1) => body.push(`<path d="${data}" ${painted(fill, opacity)}/>`),
    line: (data, colour, width, opacity = 1) => {
      const pen = `stroke="${colour}" stroke-width="${short(width)}" stroke-linecap="round" stroke-linejoin="round"`;
      body.push(`<path d="${data}" fill="none" ${pen} stroke-opacity="${opacity}"/>`);
    },
    oval: ([x, y], [rx, ry], fill, opacity = 1) => {
      const size = `cx="${short(x)}" cy="${short(y)}" rx="${short(rx)}" ry="${short(ry)}"`;
      body.push(`<ellipse ${size} ${painted(fill, opacity)}/>`);
    },
    box: ([x, y], [width, height], fill, { round = 0, opacity = 1 } = {}) => {
      const size = `x="${short(x)}" y="${short(y)}" width="${short(width)}" height="${short(height)}"`;
      body.push(`<rect ${size} rx="${round}" ${painted(fill, opacity)}/>`);
    },
    placed: ({ x = 0, y = 0, scale = 1, turn = 0, mirror = false, about: [px, py] = [0, 0] }, draw) => {
      const turned = `rotate(${short(turn)}) scale(${mirror ? -scale : scale} ${scale})`;
      const moved = `translate(${short(x + px)} ${short(y + py)}) ${turned} translate(${short(-px)} ${short(-py)})`;
      return group(`transform="${moved}"`, draw);
    },
    clipped: (outline, draw) => {
      group(`clip-path="${define((id) => `<clipPath id="${id}"><path d="${outline}"/></clipPath>`)}"`, draw);
    },
    bothSides: (draw) => {
      for (const side of [-1, 1] as const) sheet.placed({ mirror: side < 0 }, () => draw(side));
    },
    svg: () => {
      const size = `width="${pictureWidth}" height="${pictureHeight}" viewBox="0 0 ${pictureWidth} ${pictureHeight}"`;
      const tags = [...defs].map(([tag, id]) => tag.replace('id=""', `id="${id}"`));
      return `<svg xmlns="http://www.w3.org/2000/svg" ${size}><defs>${tags.join('')}</defs>${body.join('')}</svg>`;
    },
  };
  return sheet;
}
