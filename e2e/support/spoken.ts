import type { Page } from 'playwright-core';

/** A text as the build compiles it: words, placeholders, and choices between forms. */
type Token = string | [string] | [string, string, Record<string, Token[] | number>];

const accents: Record<string, string> = { a: 'á', e: 'ë', i: 'ï', o: 'ö', u: 'ü', c: 'ç', n: 'ñ', s: 'š', y: 'ý' };

/** Words with accents, each 40 % longer. */
const longer = (words: string) =>
  words.replaceAll(
    /\p{L}+/gu,
    (word) =>
      word.replaceAll(/[aeioucnsy]/g, (letter) => accents[letter] ?? letter) +
      '~'.repeat(Math.round(word.length * 0.4)),
  );

const lengthened = (tokens: Token[]): Token[] =>
  tokens.map((token) => {
    if (typeof token === 'string') return token === '#' ? token : longer(token);
    if (token.length === 1) return token;
    const [name, kind, forms] = token;
    const longForms = Object.entries(forms).map(([form, inner]) => [
      form,
      Array.isArray(inner) ? lengthened(inner) : inner,
    ]);
    return [name, kind, Object.fromEntries(longForms) as typeof forms];
  });

const catalogue = /\/assets\/(common|sign-in|members|account|questions|staff|legal)-[\w-]+\.js$/;

/** The catalogue in the script `source`, with longer texts in brackets. */
async function pseudoScript(source: string): Promise<string> {
  const module = (await import(`data:text/javascript,${encodeURIComponent(source)}`)) as {
    messages: Record<string, Token[]>;
  };
  const texts = Object.entries(module.messages).map(([id, tokens]) => [id, ['[', ...lengthened(tokens), ']']]);
  return `export const messages = ${JSON.stringify(Object.fromEntries(texts))};`;
}

/**
 * Lets a page that speaks English speak other languages without a reload, as if they were chosen in another tab; `de` is
 * replaced by longer English with accents and brackets. Has to be called before the page is opened.
 */
export async function spokenOn(page: Page): Promise<(language: string) => Promise<void>> {
  const english = new Map<string, string>();
  let speaking = 'en';
  await page.route(catalogue, async (route) => {
    const url = route.request().url();
    const part = catalogue.exec(url)?.[1] ?? '';
    const response = await route.fetch();
    // Other scripts can have such a name; unlike catalogues they begin with an import.
    const isCatalogue = !(await response.text()).startsWith('import');
    if (speaking === 'en' && isCatalogue) english.set(part, url);
    if (speaking !== 'de' || !isCatalogue) return await route.fulfill({ response });
    const original = await route.fetch({ url: english.get(part) ?? url });
    await route.fulfill({ response: original, body: await pseudoScript(await original.text()) });
  });
  return async (language) => {
    speaking = language;
    const chosen = JSON.stringify({ key: 'language', newValue: language });
    const spoken = page.locator(`html[lang="${language}"]`);
    // The page listens only after it has loaded its last part.
    for (let tries = 0; tries < 30 && (await spoken.count()) === 0; tries += 1) {
      await page.evaluate(`dispatchEvent(new StorageEvent('storage', ${chosen}))`);
      await spoken.waitFor({ state: 'attached', timeout: 1000 }).catch(() => undefined);
    }
    await spoken.waitFor({ state: 'attached', timeout: 1000 });
  };
}
