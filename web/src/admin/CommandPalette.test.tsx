import { screen } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { findUsers } from '#contract/profiles/find.ts';
import { received, serve } from '../../test/fake-server.ts';
import { currentAddress } from '../../test/render-app.tsx';
import { fourUsers, openUsers, serveUsers } from '../../test/fixtures/staff/users-page.tsx';

const [ada] = fourUsers;
if (ada === undefined) throw new Error('no users');

beforeEach(() => serveUsers());

describe('looking someone up in the command palette', () => {
  it('shows what was not found and how many look-ups are left, and offers the same one only once', async () => {
    serve(findUsers, () => ({ data: { found: [{ term: 0, user: ada }], notFound: [1], remaining: 57 } }));
    const { person } = await openUsers();
    await person.click(screen.getByRole('button', { name: 'Search and commands' }));
    const field = await screen.findByRole('combobox', { name: 'Name, id or command' });
    await person.type(field, 'ada@post.test nobody@else.test');
    await person.keyboard('{Enter}');
    expect(await screen.findByText('Not found: nobody@else.test · 57 look-ups left this hour.')).toBeVisible();
    expect(screen.getByRole('option', { name: /^Ada Byron/ })).toBeVisible();
    expect(screen.queryByRole('option', { name: /^Look up/ })).toBeNull();
    expect(currentAddress()).toBe('/users');

    await person.type(field, '{Backspace}');
    expect(screen.getByRole('option', { name: /^Look up/ })).toBeVisible();
    expect(screen.queryByText(/^Not found/)).toBeNull();
    expect(received(findUsers)).toHaveLength(1);
  });
});
