import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { getCase } from '#contract/moderation/cases.ts';
import { listRules } from '#contract/moderation/decisions.ts';
import { type CaseSafety, getCaseSafety, markEmergency, setLegalHold } from '#contract/moderation/emergencies.ts';
import { received, serve } from '../../../test/fake-server.ts';
import { administrator } from '../../../test/fixtures/people.ts';
import { caseFile, caseMoment, staffCase } from '../../../test/fixtures/staff/cases.ts';
import { renderApp } from '../../../test/render-app.tsx';

const id = staffCase()._id;
const at = '2026-01-01T00:00:00.000Z';

function serveSafety(changes: Partial<CaseSafety> = {}): CaseSafety {
  const safety: CaseSafety = {
    emergencies: [],
    referrals: [],
    legalHold: null,
    can: { mark: true, endRestriction: false, refer: true, hold: true },
    ...changes,
  };
  serve(getCase, () => ({ data: caseFile() }));
  serve(getCaseSafety, () => ({ data: { safety } }));
  serve(listRules, () => ({
    data: {
      rules: [{ _id: 'rule-1', clause: '2', version: 1, title: 'Respect', text: 'x', createdAt: at, createdBy: 'Ada' }],
    },
  }));
  return safety;
}

const panel = async () => within(await screen.findByRole('region', { name: 'Emergency and authorities' }));

describe('the emergency panel of a case', () => {
  it('is read only once it is asked for, and marks an emergency', async () => {
    const safety = serveSafety();
    serve(markEmergency, () => ({ data: { safety } }));
    const { person } = renderApp(`/cases/${id}`, administrator());
    const shown = await panel();
    expect(received(getCaseSafety)).toEqual([]);
    await person.click(shown.getByRole('button', { name: 'Show' }));
    await person.click(await shown.findByRole('button', { name: 'Emergency' }));
    const dialog = within(screen.getByRole('dialog'));
    await person.selectOptions(dialog.getByLabelText(/^What is it about/), 'Extortion');
    await person.selectOptions(await dialog.findByLabelText(/^Rule/), '2. Respect');
    const facts = 'Several people say that this account threatened them.';
    await person.type(dialog.getByLabelText(/^What the person reads/), facts);
    await person.click(dialog.getByRole('button', { name: /^Restrict and page/ }));
    expect(received(markEmergency)).toMatchObject([{ body: { kind: 'extortion', ruleId: 'rule-1', facts } }]);
  });

  it('is open where something happened, with the hold and who asked to release it', async () => {
    serveSafety({
      emergencies: [{ kind: 'minor', at, by: null, pagedAt: null, restrictedUntil: null }],
      legalHold: { at, by: 'Sena Or', reason: 'An order of a court', releaseAskedBy: 'Ada Min' },
    });
    serve(getCase, () => ({ data: caseFile({ timeline: [caseMoment({ kind: 'legal_hold_set' })] }) }));
    renderApp(`/cases/${id}`, administrator());
    const shown = await panel();
    expect(await shown.findByText('Someone under 18')).toBeVisible();
    expect(shown.getByText('An order of a court')).toBeVisible();
    expect(shown.getByText('Ada Min asked to release it; an administrator decides.')).toBeVisible();
    expect(shown.queryByRole('button', { name: 'Ask to release the hold' })).toBeNull();
  });

  it('sets a legal hold with a reason', async () => {
    const safety = serveSafety();
    serve(setLegalHold, () => ({ data: { safety } }));
    const { person } = renderApp(`/cases/${id}`, administrator());
    const shown = await panel();
    await person.click(shown.getByRole('button', { name: 'Show' }));
    await person.click(await shown.findByRole('button', { name: 'Set a legal hold' }));
    const dialog = within(screen.getByRole('dialog'));
    await person.type(dialog.getByRole('textbox'), 'An order of a court');
    await person.click(dialog.getByRole('button', { name: 'Confirm' }));
    expect(received(setLegalHold)).toMatchObject([{ body: { reason: 'An order of a court' } }]);
  });
});
