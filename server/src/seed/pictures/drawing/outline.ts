/** Corners one after another: x, y, x, y… */
export type Ring = number[];

/** A number with one decimal: enough at 1200 × 1500, and it hides what computers round differently. */
export function short(value: number): string {
  const tenths = Math.round(Math.abs(value) * 10);
  const whole = Math.floor(tenths / 10);
  const size = tenths % 10 === 0 ? String(whole) : `${whole}.${tenths % 10}`;
  return value < 0 && tenths > 0 ? `-${size}` : size;
}

/** Path data with its numbers shortened: absolute commands M, L, C, Q and Z only, all parted by blanks. */
export function d(texts: TemplateStringsArray, ...values: (number | string)[]): string {
  let path = texts[0] ?? '';
  for (const [i, value] of values.entries()) {
    path += (typeof value === 'number' ? short(value) : value) + (texts[i + 1] ?? '');
  }
  return path;
}

/** The corners of path data, curves as three straight pieces each. */
export function ringsOf(path: string): Ring[] {
  const rings: Ring[] = [];
  let ring: Ring = [];
  let command = '';
  let values: number[] = [];
  for (const word of path.split(/\s+/)) {
    const value = Number(word);
    if (Number.isNaN(value)) {
      command = word;
      if (word === 'M') rings.push((ring = []));
      continue;
    }
    values.push(value);
    if (values.length < (sizes[command] ?? 2)) continue;
    addPiece(ring, values);
    values = [];
  }
  return rings;
}

const sizes: Record<string, number> = { M: 2, L: 2, Q: 4, C: 6 };
const stepsOfCurve = [0.34, 0.67, 1];

function addPiece(ring: Ring, [a = 0, b = 0, c, e, f, g]: number[]): void {
  if (c === undefined || e === undefined) {
    ring.push(a, b);
    return;
  }
  const x = ring.at(-2) ?? a;
  const y = ring.at(-1) ?? b;
  for (const t of stepsOfCurve) {
    const s = 1 - t;
    if (f === undefined || g === undefined) {
      ring.push(s * s * x + 2 * s * t * a + t * t * c, s * s * y + 2 * s * t * b + t * t * e);
    } else {
      const [p, q, r, u] = [s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t];
      ring.push(p * x + q * a + r * c + u * f, p * y + q * b + r * e + u * g);
    }
  }
}

/** The corners of an ellipse as an octagon of about its area. */
export function ovalRing(x: number, y: number, rx: number, ry: number): Ring {
  const ring: Ring = [];
  for (let i = 0; i < 8; i++) {
    const angle = (Math.PI * (2 * i + 1)) / 8;
    ring.push(x + 1.05 * rx * Math.cos(angle), y + 1.05 * ry * Math.sin(angle));
  }
  return ring;
}
