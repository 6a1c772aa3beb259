import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { getCase } from '#contract/moderation/cases.ts';
import { listRules } from '#contract/moderation/decisions.ts';
import {
  type CaseSafety,
  getPreservedCopies,
  markEmergency,
  setPreservation,
} from '#contract/moderation/emergencies.ts';
import { received, serve } from '../../../test/fake-server.ts';
import { administrator } from '../../../test/fixtures/people.ts';
import { caseFile, staffCase } from '../../../test/fixtures/staff/cases.ts';
import { renderApp } from '../../../test/render-app.tsx';

const id = staffCase()._id;
const at = '2026-01-01T00:00:00.000Z';

function serveSafety(changes: Partial<CaseSafety> = {}): void {
  const file = caseFile();
  serve(getCase, () => ({ data: { ...file, safety: { ...file.safety, ...changes } } }));
  serve(listRules, () => ({
    data: {
      rules: [{ _id: 'rule-1', clause: '2', version: 1, title: 'Respect', text: 'x', createdAt: at, createdBy: 'Ada' }],
    },
  }));
}

const panel = async () => within(await screen.findByRole('region', { name: 'Emergency and authorities' }));

describe('the emergency panel of a case', () => {
  it('marks an emergency', async () => {
    serveSafety();
    serve(markEmergency, () => ({}));
    const { person } = renderApp(`/cases/${id}`, administrator());
    const shown = await panel();
    await person.click(await shown.findByRole('button', { name: 'Emergency' }));
    const dialog = within(await screen.findByRole('dialog'));
    await person.selectOptions(dialog.getByLabelText(/^What is it about/), 'Extortion');
    await person.selectOptions(await dialog.findByLabelText(/^Rule/), '2. Respect');
    const facts = 'Several people say that this account threatened them.';
    await person.type(dialog.getByLabelText(/^What the person reads/), facts);
    await person.click(dialog.getByRole('button', { name: /^Restrict and page/ }));
    await waitFor(() =>
      expect(received(markEmergency)).toMatchObject([{ body: { kind: 'extortion', ruleId: 'rule-1', facts } }]),
    );
  });

  it('shows what happened, the hold and who asked to release it, and downloads its copies', async () => {
    serveSafety({
      emergencies: [{ kind: 'minor', at, by: null, pagedAt: null }],
      isPagerSet: false,
      legalHold: {
        at,
        by: 'Sena Or',
        reason: 'An order of a court',
        reviewOn: '2026-04-01',
        releaseAskedBy: 'Ada Min',
      },
    });
    vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:heartwood');
    serve(getPreservedCopies, () => ({ data: { copies: [] } }));
    const { person } = renderApp(`/cases/${id}`, administrator());
    const shown = await panel();
    expect(await shown.findByText('Someone under 18')).toBeVisible();
    expect(shown.getByText('An order of a court')).toBeVisible();
    expect(shown.getByText('Ada Min asked to release it; an administrator decides.')).toBeVisible();
    expect(shown.getByText('No one is paged: no pager is set up.')).toBeVisible();
    expect(shown.queryByRole('button', { name: 'Ask to release the hold' })).toBeNull();
    await person.click(shown.getByRole('button', { name: 'Download copies' }));
    await waitFor(() => expect(received(getPreservedCopies)).toMatchObject([{ params: { id } }]));
  });

  it('sets a legal hold with a reason', async () => {
    serveSafety();
    serve(setPreservation, () => ({}));
    const { person } = renderApp(`/cases/${id}`, administrator());
    const shown = await panel();
    await person.click(await shown.findByRole('button', { name: 'Set a legal hold' }));
    const dialog = within(await screen.findByRole('dialog'));
    await person.type(dialog.getByLabelText(/^Reason/), 'An order of a court');
    await person.click(dialog.getByRole('button', { name: 'Confirm' }));
    await waitFor(() =>
      expect(received(setPreservation)).toMatchObject([
        { body: { reason: 'An order of a court', reviewOn: expect.any(String) } },
      ]),
    );
  });
});
