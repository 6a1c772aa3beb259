import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

/** The minified source, because every page parses it. */
const axeSource = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

const targetSize = 'target-size';
const options = {
  resultTypes: ['violations'],
  preload: false,
  rules: { [targetSize]: { enabled: true } },
};

/** One line for each violation. */
function linesOf({ violations }: AxeResults): string[] {
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, failureSummary = '' }) => `${id}: ${target.join(' ')} (${failureSummary.split('\n').join(' ')})`,
    ),
  );
}

/** The targets that are too small even when the top and bottom bars don't cover them. */
async function tooSmallInSight(page: Page, targets: string[]): Promise<string[]> {
  const sizeAlone = JSON.stringify({ ...options, runOnly: { type: 'rule', values: [targetSize] } });
  const lines: string[] = [];
  for (const target of targets) {
    await page.evaluate(
      `document.querySelector(${JSON.stringify(target)}).scrollIntoView({ block: 'center', behavior: 'instant' })`,
    );
    const found = await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(target)}, ${sizeAlone})`);
    lines.push(...linesOf(found));
  }
  return lines;
}

/** Loads axe with every page this tab opens from now on. Without this it is sent to each checked page, which takes longer. */
export async function loadAxe(page: Page): Promise<void> {
  await page.addInitScript({ content: axeSource });
}

/** The accessibility violations of the current page, one line each; includes axe's best practices. */
export async function accessibilityBreaches(page: Page): Promise<string[]> {
  // Through the debugger, since the content security policy forbids the page to run injected scripts.
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(`(() => { ${axeSource} })()`);
  const found = await page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(options)})`);
  const small = found.violations.filter(({ id }) => id === targetSize).flatMap(({ nodes }) => nodes);
  const others = linesOf({ ...found, violations: found.violations.filter(({ id }) => id !== targetSize) });
  // The bottom bar may cover half of a target.
  return [
    ...others,
    ...(await tooSmallInSight(
      page,
      small.map(({ target }) => target.join(' ')),
    )),
  ];
}

/** How many CSS pixels the page is wider than its window. */
export async function overflowPx(page: Page): Promise<number> {
  return await page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}

/** Many people can't read smaller text. */
const smallestPx = 12;

/** Runs in the browser: lists what does not fit at a text size in percent, one line each. */
const cutOffAt = (percent: number) => `(() => {
  const root = document.documentElement;
  root.style.fontSize = '${percent}%';
  const controls = 'a[href], button, input, select, textarea, summary';
  const labels = 'button, h1, h2, h3, h4, th, dt, label, [data-tone]';
  const nameOf = (element) => element.tagName.toLowerCase() + ' "' + (element.getAttribute('aria-label') ?? element.textContent).trim().slice(0, 40) + '"';
  const isWithin = (element, test) => {
    for (let around = element; around !== null; around = around.parentElement) if (test(getComputedStyle(around))) return true;
    return false;
  };
  const isShown = (element) =>
    element.checkVisibility({ visibilityProperty: true }) &&
    !element.closest('[aria-hidden="true"], [inert]') &&
    !isWithin(element, ({ clipPath }) => clipPath !== 'none');
  const isScrolled = (element) => isWithin(element, ({ overflowX }) => overflowX === 'auto' || overflowX === 'scroll');
  /** Whether the first letter is hidden, like the left end of a word in a line that starts on the right. */
  const losesStart = (element) => {
    const start = document.createRange();
    const words = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode();
    start.setStart(words, 0);
    start.setEnd(words, 1);
    const letter = start.getBoundingClientRect();
    const box = element.getBoundingClientRect();
    return letter.left < box.left - 1 || letter.right > box.right + 1;
  };
  const lines = [];
  const tooWidePx = root.scrollWidth - root.clientWidth;
  if (tooWidePx > 0) lines.push('the page is ' + tooWidePx + ' px wider than the window');
  for (const element of document.querySelectorAll('body *')) {
    const isControl = element.matches(controls);
    const hasWords = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '');
    const { fontSize, overflowX, overflowY, textOverflow, webkitLineClamp } = getComputedStyle(element);
    const isShortened = textOverflow === 'ellipsis' || webkitLineClamp !== 'none';
    if (!(isControl || hasWords || isShortened) || !isShown(element)) continue;
    const { left, right, width } = element.getBoundingClientRect();
    const hides = (overflow) => overflow === 'hidden' || overflow === 'clip';
    const isTooLong = hides(overflowX) && element.scrollWidth > element.clientWidth + 1;
    // The rest of a shortened text can be read elsewhere. Labels and addresses are needed where they are.
    const mayShorten =
      isShortened && !element.closest(labels) && !/\\S@\\S/.test(element.textContent) && !(isTooLong && losesStart(element));
    if (hasWords && Number.parseFloat(fontSize) < ${smallestPx})
      lines.push(nameOf(element) + ' is written in ' + fontSize);
    if (isTooLong && !mayShorten)
      lines.push(nameOf(element) + ' is cut off at its side');
    // Below the last line that is shown, letters may reach into the next one.
    const mayReachPx = webkitLineClamp === 'none' ? 1 : Number.parseFloat(fontSize) / 2;
    if (hides(overflowY) && element.scrollHeight > element.clientHeight + mayReachPx && !mayShorten)
      lines.push(nameOf(element) + ' is cut off below');
    if (width > 0 && (left < -1 || right > root.clientWidth + 1) && !isScrolled(element))
      lines.push(nameOf(element) + ' sticks out of the window');
  }
  root.style.fontSize = '';
  return [...new Set(lines)];
})()`;

/** What a reader cannot read or reach on the current page, by default with twice the text size, one line each. */
export async function cutOffParts(page: Page, percent = 200): Promise<string[]> {
  return await page.evaluate<string[]>(cutOffAt(percent));
}
