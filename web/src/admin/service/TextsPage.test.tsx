import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { listTextVersions, publishText, type TextVersion } from '#contract/service/texts.ts';
import { received, Refusal, serve } from '../../../test/fake-server.ts';
import { administrator } from '../../../test/fixtures/people.ts';
import { renderApp } from '../../../test/render-app.tsx';

const version = (day: string, en: string): TextVersion => ({
  version: day,
  publishedAt: `${day}T09:00:00.000Z`,
  by: 'Olga Own',
  asksAgain: false,
  language: 'en',
  bodies: { en },
});

let versions: TextVersion[];
beforeEach(() => {
  versions = [version('2026-06-01', '## One')];
  serve(listTextVersions, () => ({ data: { versions } }));
  serve(publishText, ({ body }) => {
    if (body.known !== versions[0]?.version) throw new Refusal('CONFLICT', 'Someone else has published this text');
    versions = [version('2026-06-03', body.bodies.en ?? ''), ...versions];
    return { data: { version: '2026-06-03', publishedAt: '2026-06-03T09:00:00.000Z' } };
  });
});

const field = () => screen.findByRole('textbox', { name: 'Text in Markdown' });

async function open() {
  const app = renderApp('/service/texts?kind=terms', administrator());
  return { ...app, text: await field() };
}

describe('/service/texts', () => {
  it('keeps edits when someone else publishes meanwhile, and replaces theirs only on request', async () => {
    const { person, text } = await open();
    await person.type(text, ' and mine');
    versions = [version('2026-06-02', '## Theirs'), ...versions];
    await person.click(screen.getByRole('button', { name: 'Publish…' }));
    const dialog = within(await screen.findByRole('dialog'));
    await person.click(dialog.getByRole('button', { name: 'Publish' }));
    expect(await dialog.findByText(/^Someone else has published this text/)).toBeVisible();
    await person.click(dialog.getByRole('button', { name: 'Cancel' }));
    expect(await field()).toHaveValue('## One and mine');

    await person.click(await screen.findByRole('button', { name: 'Go on with mine' }));
    await person.click(screen.getByRole('button', { name: 'Publish…' }));
    await person.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Publish' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(received(publishText).at(-1)?.body).toMatchObject({
      known: '2026-06-02',
      bodies: { en: '## One and mine' },
    });
    expect(screen.queryByRole('button', { name: 'Discard my changes' })).toBeNull();
  });

  it('keeps edits of another text or page until they are discarded', async () => {
    const { person, text } = await open();
    await person.type(text, ' and mine');
    await person.selectOptions(screen.getByLabelText('Text'), 'faq');
    expect(await field()).toHaveValue('## One');
    await person.selectOptions(screen.getByLabelText('Text'), 'terms');
    expect(await field()).toHaveValue('## One and mine');
    await person.click(screen.getByRole('button', { name: 'Discard my changes' }));
    expect(await field()).toHaveValue('## One');
  });

  it('restores an earlier version with its language', async () => {
    const german = { ...version('2026-05-01', ''), language: 'de' as const, bodies: { de: '## Eins' } };
    versions = [...versions, german];
    const { person } = await open();
    await person.click(screen.getByRole('button', { name: 'Edit version 2026-05-01' }));
    expect(await field()).toHaveValue('## Eins');
    expect(screen.getByLabelText('Readers of other languages see')).toHaveValue('de');
  });
});
