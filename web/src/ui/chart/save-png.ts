import { saveFile } from '../data/save-file.ts';

/** The look of a drawing comes from style sheets, which a picture of it doesn't include. */
const drawnStyles = [
  'fill',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'font-family',
  'font-size',
  'font-weight',
  'text-anchor',
] as const;
const margin = 24;
const titleHeight = 40;
const rowHeight = 26;
/** Sharp on dense screens and in print. */
const scale = 2;

function withStyles(svg: SVGSVGElement): SVGSVGElement {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const from = [svg, ...svg.querySelectorAll('*')];
  for (const [index, element] of [copy, ...copy.querySelectorAll('*')].entries()) {
    const drawn = getComputedStyle(from[index] ?? svg);
    for (const name of drawnStyles) element.setAttribute(name, drawn.getPropertyValue(name));
  }
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  return copy;
}

async function pictureOf(svg: SVGSVGElement): Promise<HTMLImageElement> {
  const picture = new Image();
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(withStyles(svg)))}`;
  await picture.decode();
  return picture;
}

interface Sheet {
  canvas: HTMLCanvasElement;
  context: CanvasRenderingContext2D;
  /** The text colour on the page. */
  ink: string;
  family: string;
}

/** A sheet with the page's colours and a title. */
function sheetOf(of: Element, title: string, [width, height]: readonly [number, number]): Sheet {
  const canvas = document.createElement('canvas');
  canvas.width = scale * (width + 2 * margin);
  canvas.height = scale * (height + 2 * margin + titleHeight);
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('This browser can’t draw pictures');
  context.scale(scale, scale);
  const { color: ink, fontFamily: family } = getComputedStyle(of);
  const background = getComputedStyle(of.closest('section') ?? document.body).backgroundColor;
  context.fillStyle = background;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = ink;
  context.font = `600 18px ${family}`;
  context.fillText(title, margin, margin + 18);
  return { canvas, context, ink, family };
}

const save = (canvas: HTMLCanvasElement, name: string) =>
  canvas.toBlob((blob) => {
    if (blob !== null) saveFile(blob, name);
  }, 'image/png');

/** The names in the legend with their colours, in one line. */
function drawLegend({ context, ink, family }: Sheet, figure: Element, top: number): void {
  context.font = `14px ${family}`;
  let left = margin;
  for (const entry of figure.querySelectorAll('figure > ul > li')) {
    const swatch = entry.querySelector('span');
    context.fillStyle = swatch === null ? ink : getComputedStyle(swatch).backgroundColor;
    context.fillRect(left, top - 11, 12, 12);
    context.fillStyle = ink;
    context.fillText(entry.textContent, left + 18, top);
    left += 18 + context.measureText(entry.textContent).width + 20;
  }
}

/** Saves the chart in an element as a picture, with its title and its legend. */
export async function saveChart(of: Element, title: string, name: string): Promise<void> {
  const svg = of.querySelector<SVGSVGElement>('figure svg');
  if (svg === null) return;
  const picture = await pictureOf(svg);
  const sheet = sheetOf(of, title, [picture.width, picture.height + rowHeight]);
  drawLegend(sheet, of, margin + titleHeight + 4);
  sheet.context.drawImage(picture, margin, margin + titleHeight + rowHeight - 8);
  save(sheet.canvas, name);
}

/** Saves rows of text as a picture of a table, for figures without a drawing. */
export function saveTable(of: Element, title: string, rows: readonly (readonly string[])[], name: string): void {
  const { family, context: ruler } = sheetOf(of, title, [1, 1]);
  ruler.font = `600 14px ${family}`;
  const widthOf = (text: string) => ruler.measureText(text).width + 20;
  const widths = (rows[0] ?? []).map((_head, column) => Math.max(...rows.map((row) => widthOf(row[column] ?? ''))));
  const width = widths.reduce((sum, each) => sum + each, 0);
  const { canvas, context } = sheetOf(of, title, [width, rows.length * rowHeight]);
  for (const [line, row] of rows.entries()) {
    context.font = `${line === 0 ? '600 ' : ''}14px ${family}`;
    let left = margin;
    for (const [column, text] of row.entries()) {
      context.fillText(text, left, margin + titleHeight + line * rowHeight + 8);
      left += widths[column] ?? 0;
    }
  }
  save(canvas, name);
}
