import { generateMessageId } from '@lingui/message-utils/generateMessageId';
import { expect, it, vi } from 'vitest';
import { deviceStorage } from '../../browser-storage.ts';

it('the language is chosen with the texts of a page that was opened while they were loading', async () => {
  vi.resetModules();
  const [{ loadTexts, speak }, { i18n }] = await Promise.all([import('./catalogues.ts'), import('./i18n.ts')]);
  await loadTexts('common');
  await Promise.all([speak('de'), loadTexts('staff')]);
  expect(i18n._(generateMessageId('Reports Management') as string)).toBe('Meldungen verwalten');
  await speak('en');
});

it.each([
  ['de', 'de'],
  ['tr', 'en'],
] as const)(
  'a page without texts in the reader’s language is in the first one, %s, if that has them: %s',
  async (first, spoken) => {
    vi.resetModules();
    const [{ loadTexts, speak }, texts, { setUsualLanguage }] = await Promise.all([
      import('./catalogues.ts'),
      import('./text.ts'),
      import('#contract/languages.ts'),
    ]);
    setUsualLanguage(first);
    await speak('es');
    await loadTexts('staff');
    expect(texts.language).toBe(spoken);
    setUsualLanguage('en');
    await speak('en');
  },
);

it('the last of two quick language choices wins, even if the first one takes longer to load', async () => {
  vi.resetModules();
  const [{ chooseLanguage, loadTexts, speak }, texts] = await Promise.all([
    import('./catalogues.ts'),
    import('./text.ts'),
  ]);
  await loadTexts('common');
  await speak('es');
  await speak('en');
  const spoken = await Promise.all([chooseLanguage('de'), chooseLanguage('es')]);
  expect([texts.language, deviceStorage.read('language'), document.cookie]).toEqual([
    'es',
    'es',
    expect.stringContaining('language=es'),
  ]);
  expect(spoken).toEqual([false, true]);
  await speak('en');
});
