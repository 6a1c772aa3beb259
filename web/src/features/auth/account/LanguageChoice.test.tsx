import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { chooseLanguage, resendVerification } from '#contract/auth/auth.ts';
import { call } from '../../../api/call.ts';
import { readSession } from '../../../api/session/stored-session.ts';
import { received, serve } from '../../../../test/fake-server.ts';
import { ownUser } from '../../../../test/fixtures/people.ts';
import { renderApp, serveBasics } from '../../../../test/render-app.tsx';
import { formatNumber } from '../../../ui/text/format.ts';

describe('the language choice', () => {
  it('changes every word at once and keeps what was typed', async () => {
    const { person } = renderApp('/app/join');
    await person.type(await screen.findByLabelText("What's your email?"), 'ada');
    await person.selectOptions(await screen.findByRole('combobox', { name: 'Language' }), 'Deutsch');
    expect(await screen.findByLabelText('Wie lautet deine E-Mail?')).toHaveValue('ada');
    const { lang, dir } = document.documentElement;
    expect([lang, dir, localStorage.getItem('language')]).toEqual(['de', 'ltr', 'de']);
    expect(formatNumber(1234)).toBe('1.234');
    await person.selectOptions(screen.getByLabelText('Sprache'), 'English');
    expect(await screen.findByLabelText("What's your email?")).toHaveValue('ada');
  });

  it('becomes the language of the account that is signed in', async () => {
    const user = ownUser();
    serve(chooseLanguage, ({ body }) => {
      user.language = body.language;
      return { data: body };
    });
    const { person } = renderApp('/app/settings/account', user);
    await person.selectOptions(await screen.findByRole('combobox', { name: 'Language' }), 'Deutsch');
    expect(await screen.findByRole('heading', { name: 'Konto' })).toBeVisible();
    await waitFor(() => expect(readSession().user?.language).toBe('de'));
    expect(received(chooseLanguage).map(({ body }) => body)).toEqual([{ language: 'de' }]);
  });

  it('is applied on other devices of the account', async () => {
    renderApp('/app/settings/account', ownUser({ language: 'de' }));
    expect(await screen.findByRole('heading', { name: 'Konto' })).toBeVisible();
  });

  it('is sent to the server with every call', async () => {
    serveBasics();
    serve(resendVerification, () => ({ emailVerificationSent: true }));
    const { person } = renderApp('/app/sign-in');
    await person.selectOptions(await screen.findByRole('combobox', { name: 'Language' }), 'Deutsch');
    await waitFor(() => expect(document.documentElement.lang).toBe('de'));
    await call(resendVerification, { body: {} });
    expect(received(resendVerification).map(({ headers }) => headers.get('accept-language'))).toEqual(['de']);
  });
});
