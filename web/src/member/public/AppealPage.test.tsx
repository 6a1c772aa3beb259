import { screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { appealByLink, openAppealLink, refundByLink, withdrawByLink } from '#contract/moderation/appeals.ts';
import { askForExportByLink, exportByLink } from '#contract/takeout.ts';
import { failWith, received, Refusal, serve } from '../../../test/fake-server.ts';
import { memberStatement } from '../../../test/fixtures/statements.ts';
import { ownSubscription } from '../../../test/fixtures/premium.ts';
import { renderApp } from '../../../test/render-app.tsx';

const appeal = {
  _id: 'appeal-1',
  state: 'submitted' as const,
  text: 'It was a song.',
  at: '2025-10-18T10:00:00.000Z',
  dueAt: '2025-10-25T10:00:00.000Z',
  answer: null,
  answeredAt: null,
};

describe('the link in a mail about a decision', () => {
  it('shows the decision without signing in and appeals only on a click', async () => {
    const statement = memberStatement();
    serve(openAppealLink, () => ({ data: { notice: statement, locked: null } }));
    serve(appealByLink, () => ({
      data: { notice: memberStatement({ appeal: { ...statement.appeal, mayAppeal: false, appeal } }) },
    }));
    const { person } = renderApp('/app/appeal#a.b.c.d');
    expect(await screen.findByText(statement.facts)).toBeVisible();
    expect(received(openAppealLink).map(({ body }) => body)).toEqual([{ token: 'a.b.c.d' }]);
    await person.click(screen.getByRole('button', { name: 'Appeal this decision' }));
    await person.click(screen.getByRole('button', { name: 'Send appeal' }));
    expect(await screen.findByText('Say why you disagree')).toBeVisible();
    expect(received(appealByLink)).toEqual([]);
    await person.type(screen.getByRole('textbox', { name: /Why do you disagree/ }), 'It was a song.');
    await person.click(screen.getByRole('button', { name: 'Send appeal' }));
    expect(await screen.findByText('Waiting for a review')).toBeVisible();
    expect(received(appealByLink).map(({ body }) => body)).toEqual([{ token: 'a.b.c.d', text: 'It was a song.' }]);
    expect(screen.queryByRole('button', { name: 'Withdraw appeal' })).toBeNull();
  });

  it('offers locked-out members their data and a refund, each with a click', async () => {
    const refund = { days: 20, amount: { amountMinor: 999, currency: 'USD' }, state: 'offered' as const };
    const locked = { reason: 'Asked others for money', refund, mayExport: true };
    serve(openAppealLink, () => ({ data: { notice: null, locked } }));
    serve(askForExportByLink, () => ({ data: {} }));
    serve(refundByLink, () => ({ data: { refund: { ...refund, state: 'started' as const } } }));
    const { person } = renderApp('/app/appeal#a.b.c.d');
    expect(await screen.findByText('Asked others for money')).toBeVisible();
    expect(screen.getByRole('heading', { name: 'Your account is closed' })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Appeal this decision' })).toBeNull();
    await person.click(await screen.findByRole('button', { name: 'Prepare my data' }));
    expect(await screen.findByText("We're preparing your data. We'll email you a link when it's ready.")).toBeVisible();
    expect(screen.getByText(/^You can't use 20 days that you paid for\./)).toBeVisible();
    await person.click(screen.getByRole('button', { name: 'End premium and pay back $9.99' }));
    expect(await screen.findByText('We are paying back $9.99 to your card.')).toBeVisible();
    for (const endpoint of [askForExportByLink, refundByLink])
      expect(received(endpoint).map(({ body }) => body)).toEqual([{ token: 'a.b.c.d' }]);
  });

  it('lets locked-out members withdraw from their contract in two steps', async () => {
    const subscription = ownSubscription({
      withdrawableUntil: '2025-11-04T04:00:00.000Z',
      withdrawalRefund: { amountMinor: 0, currency: 'USD' },
    });
    const withdrawal = { name: 'Ada Vale', email: 'ada@example.test', subscription };
    const locked = { reason: 'Asked others for money', refund: null, mayExport: false, withdrawal };
    serve(openAppealLink, () => ({ data: { notice: null, locked } }));
    serve(withdrawByLink, () => ({
      data: { refund: { amount: 0, currency: 'USD', until: '2025-11-10T12:00:00.000Z' } },
    }));
    const { person } = renderApp('/app/appeal#a.b.c.d');
    await person.click(await screen.findByRole('button', { name: 'Withdraw from this contract' }));
    expect(screen.getByText('ada@example.test')).toBeVisible();
    await person.click(screen.getByRole('button', { name: 'Confirm withdrawal' }));
    expect(await screen.findByText(/A receipt is on its way to ada@example\.test\.$/)).toBeVisible();
    expect(received(withdrawByLink).map(({ body }) => body)).toEqual([{ token: 'a.b.c.d' }]);
  });

  it('offers nothing more to members who can sign in', async () => {
    serve(openAppealLink, () => ({ data: { notice: memberStatement(), locked: null } }));
    renderApp('/app/appeal#a.b.c.d');
    expect(await screen.findByRole('button', { name: 'Appeal this decision' })).toBeVisible();
    expect(screen.queryByRole('heading', { name: 'Your data' })).toBeNull();
  });

  it('shows that the account is closed if no reason is known', async () => {
    serve(openAppealLink, () => ({ data: { notice: null, locked: { reason: null, refund: null, mayExport: false } } }));
    renderApp('/app/appeal#a.b.c.d');
    expect(await screen.findByText(/^You can't sign in\./)).toBeVisible();
  });

  it('shows that it is incomplete or too old, and how to get a new one', async () => {
    failWith(openAppealLink, new Refusal('NOT_FOUND', 'Not found'));
    renderApp('/app/appeal#a');
    expect(await screen.findByRole('heading', { name: 'This link no longer works' })).toBeVisible();
    expect(screen.getByText(/try to sign in: we can send you a new link there/)).toBeVisible();
  });
});

describe('the link of the mail about an archive', () => {
  it('downloads it on a click, with a code if the account has two-step verification', async () => {
    const saved: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      saved.push(this.download);
    });
    vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:heartwood');
    serve(exportByLink, ({ body }) => {
      if (body.code === undefined)
        throw new Refusal('INVALID_INPUT', 'Enter a code', { errors: [{ field: 'code', msg: 'Enter a code' }] });
      return 'PK';
    });
    const { person } = renderApp('/app/appeal#archive.a.b.c.d');
    expect(received(exportByLink)).toEqual([]);
    await person.click(await screen.findByRole('button', { name: 'Download my data' }));
    await person.type(await screen.findByRole('textbox', { name: /code/i }), '123456');
    await person.click(screen.getByRole('button', { name: 'Download my data' }));
    expect(await screen.findByText('Your data has been saved to this device.')).toBeVisible();
    expect(saved).toEqual(['heartwood-data.zip']);
    expect(received(exportByLink).map(({ body }) => body)).toEqual([
      { token: 'a.b.c.d' },
      { token: 'a.b.c.d', code: '123456' },
    ]);
  });

  it('shows when it has expired', async () => {
    failWith(exportByLink, new Refusal('NOT_FOUND', 'Not found'));
    const { person } = renderApp('/app/appeal#archive.a');
    await person.click(await screen.findByRole('button', { name: 'Download my data' }));
    expect(await screen.findByRole('alert')).toHaveTextContent(/^This link no longer works\./);
  });
});
