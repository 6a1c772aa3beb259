import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const targetSize = 'target-size';
const options = {
  resultTypes: ['violations'],
  preload: false,
  rules: { [targetSize]: { enabled: true } },
};

/** A line for each place that breaks a rule. */
function linesOf({ violations }: AxeResults): string[] {
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, failureSummary = '' }) => `${id}: ${target.join(' ')} (${failureSummary.split('\n').join(' ')})`,
    ),
  );
}

/** What is too small of these targets even where each is scrolled to, clear of the bars at head and foot. */
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

/** What breaks a rule of accessibility on the page as it stands, one line a place; axe's best practices count too. */
export async function accessibilityBreaches(page: Page): Promise<string[]> {
  // By the debugger, past the content policy, which forbids the page itself to run what is handed to it.
  await page.evaluate(`window.axe ? undefined : (() => { ${axe.source} })()`);
  const found = await page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(options)})`);
  const small = found.violations.filter(({ id }) => id === targetSize).flatMap(({ nodes }) => nodes);
  const others = linesOf({ ...found, violations: found.violations.filter(({ id }) => id !== targetSize) });
  // A bar at the foot may happen to lie over half of one.
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
