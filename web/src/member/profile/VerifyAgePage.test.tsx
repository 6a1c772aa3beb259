import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { type AgeCheck, getAgeCheck, startAgeCheck, takeAgeAnswer } from '#contract/age-check.ts';
import { failWith, received, Refusal, serve } from '../../../test/fake-server.ts';
import { administrator, ownUser } from '../../../test/fixtures/people.ts';
import { currentAddress, renderApp } from '../../../test/render-app.tsx';

const unchecked: AgeCheck = {
  state: 'declared',
  since: null,
  isAsked: false,
  rule: 'never',
  provider: 'age.example',
  canStart: true,
};
const answer = { check: 'a-check', result: 'adult', signature: 'signed' } as const;
const serveAge = (state: Partial<AgeCheck> = {}) => serve(getAgeCheck, () => ({ data: { ...unchecked, ...state } }));
const agree = { name: 'I agree, check my age' };

describe('the page for confirming one’s age', () => {
  it.each<[Partial<AgeCheck>, RegExp, boolean]>([
    [{}, /It is not required in your country/, true],
    [{ state: 'expired' }, /You began a check and didn't finish it/, true],
    [{ isAsked: true }, /Our team asks you to confirm/, true],
    [{ rule: 'joining' }, /when they join/, true],
    [{ rule: 'first-message' }, /before they write to someone first/, true],
    [{ state: 'assured', since: '2026-03-02', canStart: false }, /Confirmed on Mar 2, 2026/, false],
    [{ state: 'failed', canStart: false }, /until a member of our team ends this or asks you for another check/, false],
  ])('says where the member stands: %o', async (state, text, canStart) => {
    serveAge(state);
    renderApp('/app/verify-age', ownUser());
    expect(await screen.findByText(text)).toBeVisible();
    expect(screen.queryByRole('button', agree) !== null).toBe(canStart);
    expect(screen.queryByText(/checked by age\.example .* nothing about your profile/) !== null).toBe(canStart);
    expect(screen.queryByText(/because the law protects them. You go there only if you agree/) !== null).toBe(canStart);
    expect(screen.getByText(/that a check was asked for, failed or expired/)).toBeVisible();
    expect(screen.queryByRole('link', { name: 'Write to Support' }) !== null).toBe(state.state === 'failed');
  });

  it('requests the page of the provider, and shows why the check can’t start', async () => {
    serveAge();
    failWith(startAgeCheck, new Refusal('CONFLICT', "Age checks aren't available here"));
    const { person } = renderApp('/app/verify-age', ownUser());
    await person.click(await screen.findByRole('button', agree));
    expect(await screen.findByText("Age checks aren't available here")).toBeVisible();
    expect(received(startAgeCheck)).toHaveLength(1);
  });

  it('sends the answer once, removes it from the address, and shows the new state', async () => {
    let state: Partial<AgeCheck> = {};
    serve(getAgeCheck, () => ({ data: { ...unchecked, ...state } }));
    serve(takeAgeAnswer, () => {
      state = { state: 'assured', since: '2026-03-02', canStart: false };
      return {};
    });
    renderApp(`/app/verify-age?${new URLSearchParams(answer).toString()}`, ownUser());
    expect(await screen.findByText(/Confirmed on Mar 2, 2026/)).toBeVisible();
    expect(received(takeAgeAnswer).map(({ body }) => body)).toEqual([answer]);
    await waitFor(() => expect(currentAddress()).toBe('/app/verify-age'));
  });

  it('shows the state when the provider was faster than the browser', async () => {
    serveAge({ state: 'assured', since: '2026-03-02', canStart: false });
    failWith(takeAgeAnswer, new Refusal('NOT_FOUND', 'Not found'));
    renderApp(`/app/verify-age?${new URLSearchParams(answer).toString()}`, ownUser());
    expect(await screen.findByText(/Confirmed on Mar 2, 2026/)).toBeVisible();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('is for members only', async () => {
    renderApp('/app/verify-age', administrator());
    expect(await screen.findByText(/This is for members/)).toBeVisible();
    expect(received(getAgeCheck)).toHaveLength(0);
  });
});
