import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  appealOutsiderReport,
  fileOutsiderReport,
  forgetOutsider,
  getOutsiderChallenge,
  openOutsiderLink,
  type OwnOutsiderReport,
} from '#contract/moderation/outsider-reports.ts';
import { failWith, received, Refusal, serve } from '../../../test/fake-server.ts';
import { renderApp } from '../../../test/render-app.tsx';

const bits = 4;
const field = (name: RegExp) => screen.findByRole('textbox', { name });
const send = () => screen.findByRole('button', { name: 'Send notice' });

async function solvesChallenge({ challenge, counter }: { challenge: string; counter: number }): Promise<boolean> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${challenge}.${counter}`));
  return new DataView(digest).getUint32(0) >>> (32 - bits) === 0;
}

describe('the outsider report form', () => {
  beforeEach(() => {
    serve(getOutsiderChallenge, () => ({ data: { challenge: '1.a.b', bits } }));
    serve(fileOutsiderReport, () => ({ data: {} }));
  });

  it('sends what was typed with a solved challenge, without signing in', async () => {
    const { person } = renderApp('/app/report');
    await person.selectOptions(await screen.findByRole('combobox', { name: /What is it about/ }), 'impersonation');
    await person.type(await field(/Address of the profile/), 'https://heartwood.test/app/members/x');
    await person.type(await field(/What happened/), 'These are my holiday pictures.');
    await person.type(await field(/Your name/), 'Olga Outside');
    await person.type(await field(/Your email address/), 'olga@outside.example');
    await person.click(screen.getByRole('checkbox', { name: /true and complete/ }));
    await person.click(await send());
    expect(await screen.findByRole('heading', { name: 'Thank you, we received your notice' })).toBeVisible();
    const [{ body, token } = { body: null, token: '' }] = received(fileOutsiderReport);
    expect(body).toMatchObject({
      ...{ type: 'impersonation', name: 'Olga Outside', email: 'olga@outside.example', isGoodFaith: true },
      text: 'These are my holiday pictures.',
    });
    expect(body).not.toHaveProperty('person');
    expect(token).toBeNull();
    expect(body && (await solvesChallenge(body.proof))).toBe(true);
    expect(screen.getByText(/We email you a link/)).toBeVisible();
  });

  it('shows what is missing, and sends nothing', async () => {
    const { person } = renderApp('/app/report');
    await person.selectOptions(await screen.findByRole('combobox', { name: /What is it about/ }), 'scam');
    await person.type(await field(/What happened/), 'Asked me for gift cards twice.');
    await person.click(await send());
    for (const text of [/^Give an address/, /^Give your name/, /^Give your email/, /^Confirm that/])
      expect(await screen.findByText(text)).toBeVisible();
    expect(received(fileOutsiderReport)).toEqual([]);
  });

  it('requires no name and no address for the abuse of a child', async () => {
    const { person } = renderApp('/app/report');
    await person.selectOptions(await screen.findByRole('combobox', { name: /What is it about/ }), 'child_abuse');
    await person.type(await field(/Name or description/), 'Pat, Leeds');
    await person.type(await field(/What happened/), 'Shows pictures of a child.');
    await person.click(screen.getByRole('checkbox', { name: /true and complete/ }));
    await person.click(await send());
    expect(await screen.findByRole('heading', { name: 'Thank you, we received your notice' })).toBeVisible();
    expect(screen.queryByText(/We email you a link/)).toBeNull();
  });

  it('keeps typed text when too many were sent', async () => {
    failWith(fileOutsiderReport, new Refusal('TOO_MANY_REQUESTS', 'Too many requests. Please try again later.'));
    const { person } = renderApp('/app/report');
    await person.selectOptions(await screen.findByRole('combobox', { name: /What is it about/ }), 'child_abuse');
    await person.type(await field(/Name or description/), 'Pat, Leeds');
    await person.type(await field(/What happened/), 'Shows pictures of a child.');
    await person.click(screen.getByRole('checkbox', { name: /true and complete/ }));
    await person.click(await send());
    expect(await screen.findByText(/Too many requests/)).toBeVisible();
    expect(await field(/What happened/)).toHaveValue('Shows pictures of a child.');
  });
});

const outsiderReport = (changes: Partial<OwnOutsiderReport> = {}): OwnOutsiderReport => ({
  _id: 'notice-1',
  type: 'impersonation',
  text: 'These are my holiday pictures.',
  at: '2026-06-15T12:00:00.000Z',
  outcome: null,
  decidedAt: null,
  right: null,
  ...changes,
});

const right = { decisionId: 'notice-1', until: '2098-01-01T00:00:00.000Z', mayAppeal: true, appeal: null };

const openLink = async () => {
  const { person } = renderApp('/app/report#a.1.b');
  const button = await screen.findByRole('button', { name: 'Show my notices' });
  expect(received(openOutsiderLink)).toEqual([]);
  await person.click(button);
  return { person };
};

describe('the emailed link about an outsider report', () => {
  it.each([
    [null, 'We received it. A person will read it and decide.'],
    ['acted' as const, 'We found that our rules were broken, and acted.'],
    ['unsaid' as const, /^We have looked into it\./],
  ])('shows the outcome of a notice (%s)', async (outcome, text) => {
    serve(openOutsiderLink, () => ({ data: { notices: [outsiderReport({ outcome })] } }));
    await openLink();
    expect(await screen.findByText(text)).toBeVisible();
    expect(received(openOutsiderLink).map(({ body }) => body)).toEqual([{ token: 'a.1.b' }]);
    expect(screen.queryByRole('button', { name: 'Appeal this decision' })).toBeNull();
  });

  it('accepts an appeal against a decision not to act', async () => {
    const decided = { outcome: 'not_acted' as const, decidedAt: '2026-06-16T12:00:00.000Z' };
    serve(openOutsiderLink, () => ({ data: { notices: [outsiderReport({ ...decided, right })] } }));
    const appeal = {
      ...{ _id: 'notice-1', state: 'submitted' as const, text: 'Look again.', answer: null, answeredAt: null },
      ...{ at: '2026-06-17T12:00:00.000Z', dueAt: '2026-06-24T12:00:00.000Z' },
    };
    serve(appealOutsiderReport, () => ({
      data: { notices: [outsiderReport({ ...decided, right: { ...right, mayAppeal: false, appeal } })] },
    }));
    const { person } = await openLink();
    await person.click(await screen.findByRole('button', { name: 'Appeal this decision' }));
    await person.type(await field(/Why do you disagree/), 'Look again.');
    await person.click(screen.getByRole('button', { name: 'Send appeal' }));
    expect(await screen.findByText('Waiting for a review')).toBeVisible();
    await waitFor(() =>
      expect(received(appealOutsiderReport).map(({ body }) => body)).toEqual([
        { token: 'a.1.b', noticeId: 'notice-1', text: 'Look again.' },
      ]),
    );
  });

  it('removes the name and address of the author on a click', async () => {
    serve(openOutsiderLink, () => ({ data: { notices: [outsiderReport()] } }));
    serve(forgetOutsider, () => ({ data: {} }));
    const { person } = await openLink();
    await person.click(await screen.findByRole('button', { name: 'Forget my name and address' }));
    await person.click(await screen.findByRole('button', { name: 'Forget them' }));
    expect(await screen.findByText(/^We erased your name and address/)).toBeVisible();
    expect(received(forgetOutsider).map(({ body }) => body)).toEqual([{ token: 'a.1.b' }]);
  });

  it('shows when it no longer works', async () => {
    failWith(openOutsiderLink, new Refusal('NOT_FOUND', 'Not found'));
    await openLink();
    expect(await screen.findByRole('heading', { name: 'This link no longer works' })).toBeVisible();
  });
});
