import { ovalRing, ringsOf, short, type Ring } from './outline.ts';
import { gradientTag, type Paint } from './paint.ts';
import { combine, matrixOf, nowhereElse, transformOf, type Matrix, type Placing } from './placing.ts';

export const pictureWidth = 1200;
export const pictureHeight = 1500;
/** Shapes smaller than this, either way, leave no trace in a placeholder. */
export const smallestKept = 90;

/** A filled shape as the placeholder's painter takes it. */
export interface Shape {
  rings: () => Ring[];
  fill: Paint;
  opacity: number;
  matrix: Matrix;
  /** What hides all that lies outside. */
  clip: Clip | null;
}

export interface Clip {
  rings: () => Ring[];
  matrix: Matrix;
  /** That it lies in itself. */
  clip: Clip | null;
}

/** Paper that is drawn on from the back to the front: it becomes an SVG, and keeps its shapes for the placeholder. */
export interface Sheet {
  path(data: string, fill: Paint, opacity?: number): void;
  /** A pen's line with round ends. */
  line(data: string, colour: Paint, width: number, opacity?: number): void;
  oval(x: number, y: number, rx: number, ry: number, fill: Paint, opacity?: number): void;
  box(x: number, y: number, width: number, height: number, fill: Paint, round?: number, opacity?: number): void;
  /** What `draw` draws, put elsewhere. */
  placed<T>(placing: Placing, draw: () => T): T;
  /** What `draw` draws, only inside of the outline. */
  clipped(data: string, draw: () => void): void;
  svg(): string;
  readonly shapes: readonly Shape[];
}

/** An empty sheet of 1200 × 1500. */
export function newSheet(): Sheet {
  const defs = new Map<string, string>();
  const body: string[] = [];
  const shapes: Shape[] = [];
  let matrix = nowhereElse;
  let clip: Clip | null = null;

  const define = (tag: (id: string) => string) => {
    const key = tag('');
    let id = defs.get(key);
    if (id === undefined) defs.set(key, (id = `d${defs.size}`));
    return `url(#${id})`;
  };
  const painted = (paint: Paint) => (typeof paint === 'string' ? paint : define((id) => gradientTag(paint, id)));
  // The opacity of a paint costs nothing; that of an element is another layer of the size of the picture.
  const seeThrough = (opacity: number, part = 'fill') =>
    opacity < 1 ? ` ${part}-opacity="${opacity.toFixed(2)}"` : '';
  const keep = (rings: () => Ring[], fill: Paint, opacity: number, size = Infinity) => {
    if (size * Math.hypot(matrix[0], matrix[1]) >= smallestKept) shapes.push({ rings, fill, opacity, matrix, clip });
  };

  return {
    path: (data, fill, opacity = 1) => {
      body.push(`<path d="${data}" fill="${painted(fill)}"${seeThrough(opacity)}/>`);
      keep(() => ringsOf(data), fill, opacity);
    },
    line: (data, colour, width, opacity = 1) => {
      const pen = `stroke="${painted(colour)}" stroke-width="${short(width)}" stroke-linecap="round" stroke-linejoin="round"`;
      body.push(`<path d="${data}" fill="none" ${pen}${seeThrough(opacity, 'stroke')}/>`);
    },
    oval: (x, y, rx, ry, fill, opacity = 1) => {
      const size = `cx="${short(x)}" cy="${short(y)}" rx="${short(rx)}" ry="${short(ry)}"`;
      body.push(`<ellipse ${size} fill="${painted(fill)}"${seeThrough(opacity)}/>`);
      keep(() => [ovalRing(x, y, rx, ry)], fill, opacity, 2 * Math.min(rx, ry));
    },
    box: (x, y, width, height, fill, round = 0, opacity = 1) => {
      const size = `x="${short(x)}" y="${short(y)}" width="${short(width)}" height="${short(height)}"`;
      const corners = round > 0 ? ` rx="${short(round)}"` : '';
      body.push(`<rect ${size}${corners} fill="${painted(fill)}"${seeThrough(opacity)}/>`);
      keep(() => [[x, y, x + width, y, x + width, y + height, x, y + height]], fill, opacity, Math.min(width, height));
    },
    placed: (placing, draw) => {
      const before = matrix;
      const own = matrixOf(placing);
      matrix = combine(before, own);
      body.push(`<g transform="${transformOf(own)}">`);
      const drawn = draw();
      body.push('</g>');
      matrix = before;
      return drawn;
    },
    clipped: (data, draw) => {
      const before = clip;
      clip = { rings: () => ringsOf(data), matrix, clip };
      body.push(`<g clip-path="${define((id) => `<clipPath id="${id}"><path d="${data}"/></clipPath>`)}">`);
      draw();
      body.push('</g>');
      clip = before;
    },
    svg: () => {
      const size = `width="${pictureWidth}" height="${pictureHeight}" viewBox="0 0 ${pictureWidth} ${pictureHeight}"`;
      const tags = [...defs].map(([tag, id]) => tag.replace('id=""', `id="${id}"`));
      return `<svg xmlns="http://www.w3.org/2000/svg" ${size}><defs>${tags.join('')}</defs>${body.join('')}</svg>`;
    },
    shapes,
  };
}
