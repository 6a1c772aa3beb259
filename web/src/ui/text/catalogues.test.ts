import { generateMessageId } from '@lingui/message-utils/generateMessageId';
import { expect, it, vi } from 'vitest';

it('is spoken with the texts of a page that was opened while they were loading', async () => {
  vi.resetModules();
  const [{ loadTexts, speak }, { i18n }] = await Promise.all([import('./catalogues.ts'), import('./i18n.ts')]);
  await loadTexts('members');
  await Promise.all([speak('de'), loadTexts('staff')]);
  expect(i18n._(generateMessageId('Reports Management') as string)).toBe('Meldungen verwalten');
  await speak('en');
});
