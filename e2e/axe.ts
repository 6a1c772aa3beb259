import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const options = {
  resultTypes: ['violations'],
  preload: false,
  rules: { 'target-size': { enabled: true } },
};

/** What breaks a rule of accessibility on the page as it stands, one line a place; axe's best practices count too. */
export async function accessibilityBreaches(page: Page): Promise<string[]> {
  // By the debugger, past the content policy, which forbids the page itself to run what is handed to it.
  await page.evaluate(`window.axe ? undefined : (() => { ${axe.source} })()`);
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(options)})`);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, failureSummary = '' }) => `${id}: ${target.join(' ')} (${failureSummary.split('\n').join(' ')})`,
    ),
  );
}

/** How many CSS pixels the page is wider than its window. */
export async function overflowPx(page: Page): Promise<number> {
  return await page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}
