import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { resendVerification } from '#contract/auth/auth.ts';
import { call } from '../../../api/call.ts';
import { received, serve } from '../../../../test/fake-server.ts';
import { renderApp, serveBasics } from '../../../../test/render-app.tsx';
import { formatNumber } from '../../../ui/text/format.ts';

describe('the choice of a language', () => {
  it('changes every word at once and keeps what was typed', async () => {
    const { person } = renderApp('/app/join');
    await person.type(await screen.findByLabelText(/^First name/), 'Ada');
    await person.selectOptions(await screen.findByLabelText('Language'), 'Deutsch');
    expect(await screen.findByRole('heading', { name: 'Bei Heartwood registrieren' })).toBeVisible();
    expect(screen.getByLabelText(/^Vorname/)).toHaveValue('Ada');
    const { lang, dir } = document.documentElement;
    expect([lang, dir, localStorage.getItem('language')]).toEqual(['de', 'ltr', 'de']);
    expect(formatNumber(1234)).toBe('1.234');
    await person.selectOptions(screen.getByLabelText('Sprache'), 'English');
    expect(await screen.findByLabelText(/^First name/)).toHaveValue('Ada');
  });

  it('is told to the server with every call', async () => {
    serveBasics(null);
    serve(resendVerification, () => ({ emailVerificationSent: true }));
    const { person } = renderApp('/app/sign-in');
    await person.selectOptions(await screen.findByLabelText('Language'), 'Deutsch');
    await waitFor(() => expect(document.documentElement.lang).toBe('de'));
    await call(resendVerification, { body: {} });
    expect(received(resendVerification).map(({ headers }) => headers.get('accept-language'))).toEqual(['de']);
  });
});
