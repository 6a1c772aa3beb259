import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

/** Minified: every page parses it. */
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

/** The targets that are too small even when scrolled clear of the top and bottom bars. */
async function tooSmallInSight(page: Page, targets: string[]): Promise<string[]> {
  const sizeAlone = JSON.stringify({ ...options, runOnly: { type: 'rule', values: [targetSize] } });
  const lines: string[] = [];
  for (const target of targets) {
    await page
      .locator(target)
      .evaluate("(element) => element.scrollIntoView({ block: 'center', behavior: 'instant' })");
    const found = await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(target)}, ${sizeAlone})`);
    lines.push(...linesOf(found));
  }
  return lines;
}

/** Loads axe with every further page of this tab; otherwise it is sent to each page that is checked, which takes longer. */
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
