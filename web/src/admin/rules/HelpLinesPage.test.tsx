import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  addHelpLine,
  changeHelpLine,
  type HelpLine,
  listHelpLines,
  removeHelpLine,
} from '#contract/moderation/help-lines.ts';
import { received, serve } from '../../../test/fake-server.ts';
import { administrator } from '../../../test/fixtures/people.ts';
import { renderApp } from '../../../test/render-app.tsx';

const line: HelpLine = {
  _id: 'line-1',
  country: 'DE',
  name: 'Hilfetelefon',
  phone: '116 016',
  url: null,
  note: 'At any hour.',
  isEmergency: false,
};

beforeEach(() => {
  serve(listHelpLines, () => ({ data: { lines: [line] } }));
  serve(addHelpLine, () => ({ data: { line } }));
  serve(changeHelpLine, () => ({}));
  serve(removeHelpLine, () => ({}));
});

describe('the help lines', () => {
  it('can be changed', async () => {
    const { person } = renderApp('/rules/help-lines', administrator());
    await person.click(await screen.findByRole('button', { name: 'Change Hilfetelefon' }));
    const dialog = within(await screen.findByRole('dialog'));
    await person.clear(dialog.getByLabelText(/^Phone number/));
    await person.type(dialog.getByLabelText(/^Phone number/), '112');
    await person.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Germany')).toBeVisible();
    await waitFor(() => expect(received(changeHelpLine)).toMatchObject([{ body: { phone: '112', url: null } }]));
  });

  it('can be removed after a confirmation', async () => {
    const { person } = renderApp('/rules/help-lines', administrator());
    await person.click(await screen.findByRole('button', { name: 'Remove Hilfetelefon' }));
    await person.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Remove' }));
    await waitFor(() => expect(received(removeHelpLine)).toMatchObject([{ params: { id: 'line-1' } }]));
  });
});
