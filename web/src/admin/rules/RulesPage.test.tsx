import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { changeRule, listRules } from '#contract/moderation/decisions.ts';
import { received, Refusal, serve } from '../../../test/fake-server.ts';
import { administrator, moderator } from '../../../test/fixtures/people.ts';
import { renderApp } from '../../../test/render-app.tsx';

const rule = {
  _id: 'rule-5',
  clause: '5',
  version: 1,
  title: 'No scams',
  text: 'No requests for money.',
  createdAt: '2025-01-01T00:00:00.000Z',
  createdBy: 'Heartwood',
};

beforeEach(() => serve(listRules, () => ({ data: { rules: [rule] } })));

describe('the community rules', () => {
  it('are shown to moderators with their version', async () => {
    renderApp('/rules', moderator());
    expect(await screen.findByRole('heading', { name: '5. No scams' })).toBeVisible();
    expect(screen.getByText(/Version 1 by Heartwood/)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Change rule 5' })).toBeNull();
  });

  it('get a new version by administrators', async () => {
    serve(changeRule, ({ body }) => ({ data: { rule: { ...rule, ...body, _id: 'rule-5b', version: 2 } } }));
    const { person } = renderApp('/rules', administrator());
    await person.click(await screen.findByRole('button', { name: 'Change rule 5' }));
    const dialog = within(screen.getByRole('dialog', { name: 'Change rule 5' }));
    await person.clear(dialog.getByRole('textbox', { name: /^Text/ }));
    await person.type(dialog.getByRole('textbox', { name: /^Text/ }), 'No money at all.');
    await person.click(dialog.getByRole('button', { name: 'Save as a new version' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(received(changeRule).map(({ body }) => body)).toEqual([{ title: 'No scams', text: 'No money at all.' }]);
  });

  it('say when a colleague was faster', async () => {
    serve(changeRule, () => {
      throw new Refusal('CONFLICT', 'A colleague has just changed this rule');
    });
    const { person } = renderApp('/rules', administrator());
    await person.click(await screen.findByRole('button', { name: 'Change rule 5' }));
    await person.click(screen.getByRole('button', { name: 'Save as a new version' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('A colleague has just changed this rule');
  });
});
