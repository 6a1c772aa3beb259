import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Profiler } from 'node:inspector';

/** A function and everything it called, with samples of the processor. */
interface Frame {
  label: string;
  samples: number;
  called: Map<string, Frame>;
}

const size = { width: 1200, row: 17, head: 34 };
/** Frames narrower than this are left out, in pixels. */
const narrowest = 2.5;
/** Deeper calls count for their callers. */
const deepestShown = 24;
const characterWidth = 6.2;
const project = resolve(import.meta.dirname, '../..');
/** What the profiler adds to the functions; it waits in these two, or belongs to no call. */
const idle = ['(idle)', '(program)'];
const hues = { server: 18, package: 205, node: 265, runtime: 45 };

/** The function and its file: relative to the project, `pkg/…` for packages, `node:…` for Node's own. */
function labelOf({ functionName, url }: Profiler.ProfileNode['callFrame']): string {
  const name = functionName === '' ? '(anonymous)' : functionName;
  if (url === '') return name;
  if (!url.startsWith('file:')) return `${name} ${url}`;
  const path = relative(project, fileURLToPath(url));
  const at = path.lastIndexOf('node_modules/');
  return `${name} ${at === -1 ? path : `pkg/${packageOf(path.slice(at + 'node_modules/'.length))}`}`;
}

const packageOf = (path: string) =>
  path
    .split('/')
    .slice(0, path.startsWith('@') ? 2 : 1)
    .join('/');

function hueOf(label: string): number {
  if (label.includes(' pkg/')) return hues.package;
  if (label.includes(' node:')) return hues.node;
  return label.endsWith('.ts') ? hues.server : hues.runtime;
}

/** The calls of a V8 profile as one tree, without the time in which nothing ran. */
function treeOf({ nodes, samples = [] }: Profiler.Profile): Frame {
  const hitsOf = new Map<number, number>();
  for (const id of samples) hitsOf.set(id, (hitsOf.get(id) ?? 0) + 1);
  const nodeOf = new Map(nodes.map((node) => [node.id, node]));
  const root: Frame = { label: 'all of the server’s main thread', samples: 0, called: new Map() };
  const add = (into: Frame, node: Profiler.ProfileNode): number => {
    if (idle.includes(node.callFrame.functionName)) return 0;
    const label = labelOf(node.callFrame);
    const frame = into.called.get(label) ?? { label, samples: 0, called: new Map() };
    into.called.set(label, frame);
    let samples = hitsOf.get(node.id) ?? 0;
    for (const child of node.children ?? []) {
      const called = nodeOf.get(child);
      if (called !== undefined) samples += add(frame, called);
    }
    frame.samples += samples;
    return samples;
  };
  for (const child of nodes[0]?.children ?? []) {
    const node = nodeOf.get(child);
    if (node !== undefined) root.samples += add(root, node);
  }
  return root;
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** A V8 profile as a flame graph: one SVG without scripts, with the whole name of each frame as its tooltip. */
export function flameGraph(profile: Profiler.Profile, title: string): string {
  const root = treeOf(profile);
  const shapes: string[] = [];
  let deepest = 0;
  const draw = (frame: Frame, x: number, depth: number): void => {
    const width = (frame.samples / root.samples) * size.width;
    if (width < narrowest || depth > deepestShown) return;
    deepest = Math.max(deepest, depth);
    const share = `${((100 * frame.samples) / root.samples).toFixed(1)} %`;
    const room = Math.floor((width - 6) / characterWidth);
    const text = frame.label.length > room ? `${frame.label.slice(0, Math.max(0, room - 1))}…` : frame.label;
    const y = size.head + depth * size.row;
    const fill = `hsl(${hueOf(frame.label)} 75% ${78 - ((frame.label.length * 7) % 9)}%)`;
    shapes.push(
      `<g><title>${escaped(frame.label)}: ${share}</title><rect x="${x.toFixed(1)}" y="${y}" width="${(width - 0.5).toFixed(1)}" height="${size.row - 1}" fill="${fill}"/>` +
        (room < 4 ? '' : `<text x="${(x + 3).toFixed(1)}" y="${y + 12}">${escaped(text)}</text>`) +
        '</g>',
    );
    let at = x;
    for (const called of [...frame.called.values()].sort((one, other) => other.samples - one.samples)) {
      draw(called, at, depth + 1);
      at += (called.samples / root.samples) * size.width;
    }
  };
  draw(root, 0, 0);
  const height = size.head + (deepest + 1) * size.row + 6;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${height}" font-family="ui-monospace, monospace" font-size="10.5" role="img" aria-label="${escaped(title)}">` +
    `<rect width="100%" height="100%" fill="#fff"/><text x="6" y="21" font-size="14">${escaped(title)}</text>\n${shapes.join('\n')}\n</svg>\n`
  );
}
