import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { type FileDay, getOwnFile } from '#contract/moderation/own-file.ts';
import { serve } from '../../../test/fake-server.ts';
import { serveSettings } from '../../../test/fixtures/own-settings.ts';
import { administrator, ownUser } from '../../../test/fixtures/people.ts';
import { renderApp } from '../../../test/render-app.tsx';

describe('the page "Your file"', () => {
  it('lists days on which the team opened the account, with the kind of reason', async () => {
    serveSettings();
    const days: FileDay[] = [
      { day: '2026-03-12', kinds: ['safety', 'support'] },
      { day: '2026-03-02', kinds: ['routine'] },
    ];
    serve(getOwnFile, () => ({ data: { days } }));
    renderApp('/app/settings/file', ownUser());
    const items = await screen.findAllByText(/^Added on/);
    expect(items.map(({ textContent }) => textContent)).toEqual(['Added on Mar 12, 2026', 'Added on Mar 2, 2026']);
    expect(screen.getByText('We opened your account for a safety check, at least a week earlier.')).toBeVisible();
    expect(screen.getByText('We opened your account to help you, because you asked us to.')).toBeVisible();
    expect(screen.getByText('We opened your account for other work, at least a week earlier.')).toBeVisible();
  });

  it('shows "Nothing in your file" when no one opened the account', async () => {
    serveSettings();
    renderApp('/app/settings/file', ownUser());
    expect(await screen.findByText('Nothing in your file')).toBeVisible();
    expect(screen.getByText(/To protect people who report something/)).toBeVisible();
  });

  it('is hidden from staff', async () => {
    serveSettings();
    renderApp('/app/settings', administrator());
    expect(await screen.findByRole('link', { name: /^Security/ })).toBeVisible();
    expect(screen.queryByRole('link', { name: /^Your file/ })).toBeNull();
  });
});
