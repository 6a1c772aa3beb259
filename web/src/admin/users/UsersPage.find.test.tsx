import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { listTags } from '#contract/moderation/tags.ts';
import { findUsers } from '#contract/profiles/find.ts';
import { searchPlaces } from '#contract/profiles/profiles.ts';
import { getAdminUser, listUsers } from '#contract/profiles/staff.ts';
import { received, Refusal, serve } from '../../../test/fake-server.ts';
import { currentAddress } from '../../../test/render-app.tsx';
import { adminUser } from '../../../test/fixtures/staff/users.ts';
import { fourUsers, openUsers, serveUsers, shownRows } from '../../../test/fixtures/staff/users-page.tsx';

const [ada, bo] = fourUsers;
if (ada === undefined || bo === undefined) throw new Error('no users');

beforeEach(() => {
  serveUsers();
  serve(listTags, () => ({ data: { tags: [{ _id: tagId, name: 'Press', isRetired: false, userCount: 2 }] } }));
  serve(getAdminUser, () => ({ data: { user: adminUser(ada) } }));
});

const tagId = '5f0d6f0e-6c0c-4a6e-9b7e-0c8f5f1f2a11';
const searchField = () => screen.getByRole('textbox', { name: 'Search' });

describe('looking people up in the list of users', () => {
  it('sends an address in the body, opens the only person found, and keeps the address out of the URL', async () => {
    serve(findUsers, () => ({ data: { found: [{ term: 0, user: ada }], notFound: [], remaining: 59 } }));
    const { person } = await openUsers();
    await person.type(searchField(), 'ada@post.test{Enter}');
    expect(await screen.findByRole('heading', { level: 1, name: /Ada/ })).toBeVisible();
    expect(received(findUsers)).toMatchObject([{ body: { terms: ['ada@post.test'] } }]);
    expect(currentAddress()).toBe(`/users/${ada._id}`);
  });

  it('looks up all addresses of a pasted text, and names those without a result', async () => {
    serve(findUsers, () => ({
      data: { found: [ada, bo].map((user, term) => ({ term, user })), notFound: [2], remaining: 57 },
    }));
    const { person } = await openUsers();
    await person.click(searchField());
    await person.paste('Ada <ada@post.test>\nbo@post.test, nobody@else.test');
    expect(await screen.findByText('Not found: nobody@else.test')).toBeVisible();
    expect(shownRows()).toHaveLength(2);
    expect(currentAddress()).toBe('/users');
    await person.keyboard('{Enter}');
    expect(shownRows()).toHaveLength(2);
    expect(received(findUsers)).toHaveLength(1);
    await person.click(screen.getByRole('button', { name: 'Show the list again' }));
    expect(shownRows()).toHaveLength(4);
  });

  it('shows one empty state when it finds no one', async () => {
    serve(findUsers, () => ({ data: { found: [], notFound: [0], remaining: 58 } }));
    const { person } = await openUsers();
    await person.type(searchField(), 'nobody@else.test{Enter}');
    expect(await screen.findByText('No one found.')).toBeVisible();
    expect(screen.getByText('Not found: nobody@else.test · 58 look-ups left this hour.')).toBeVisible();
    expect(screen.queryByRole('alert')).toBeNull();
    expect(screen.queryByText('No users found matching your criteria')).toBeNull();
    await person.click(screen.getByRole('button', { name: 'Show the list again' }));
    expect(await screen.findByRole('table', { name: 'Users' })).toBeVisible();
  });

  it('shows why a look-up was refused', async () => {
    serve(findUsers, () => {
      throw new Refusal('TOO_MANY_REQUESTS', 'You can look up 60 addresses within an hour.');
    });
    const { person } = await openUsers();
    await person.type(searchField(), 'ada@post.test{Enter}');
    expect(await screen.findByRole('alert')).toHaveTextContent('You can look up 60 addresses within an hour.');
  });
});

describe('more filters of the list of users', () => {
  const lastQuery = () => received(listUsers).at(-1)?.query;

  it('query the server, are in the page’s address, and are removed one by one', async () => {
    const { person } = await openUsers();
    await person.click(screen.getByRole('button', { name: 'More filters' }));
    const dialog = within(await screen.findByRole('dialog'));
    await person.type(dialog.getByRole('combobox', { name: 'Country' }), 'Norway');
    await person.selectOptions(dialog.getByRole('combobox', { name: 'Profile paused' }), 'Yes');
    await person.selectOptions(dialog.getByRole('combobox', { name: 'Tag' }), 'Press');
    await person.click(dialog.getByRole('button', { name: 'Apply' }));
    await waitFor(() => expect(lastQuery()).toMatchObject({ country: 'Norway', paused: true, tag: tagId }));
    expect(currentAddress()).toBe(`/users?country=Norway&paused=true&tag=${tagId}`);

    await person.click(screen.getByRole('button', { name: 'Remove filter: Tag: Press' }));
    expect(currentAddress()).toBe('/users?country=Norway&paused=true');
    expect(screen.getByRole('button', { name: 'Remove filter: Country: Norway' })).toBeVisible();
  });

  it('suggest countries, and known cities with their country', async () => {
    serve(searchPlaces, () => ({ data: { places: [{ city: 'Bergen', country: 'Norway' }] } }));
    const { person } = await openUsers();
    await person.click(screen.getByRole('button', { name: 'More filters' }));
    const dialog = within(await screen.findByRole('dialog'));
    const suggested = (field: string) =>
      [...(dialog.getByLabelText<HTMLInputElement>(field).list?.options ?? [])].map(({ value }) => value);
    expect(suggested('Country')).toEqual(expect.arrayContaining(['DR Congo', 'Norway']));
    await person.type(dialog.getByLabelText('City'), 'berg');
    await waitFor(() => expect(suggested('City')).toEqual(['Bergen, Norway']));
    fireEvent.change(dialog.getByLabelText('City'), { target: { value: 'Bergen, Norway' } });
    await person.click(dialog.getByRole('button', { name: 'Apply' }));
    expect(currentAddress()).toBe('/users?country=Norway&city=Bergen');
  });

  it('show which value cannot be filtered by', async () => {
    const { person } = await openUsers();
    await person.click(screen.getByRole('button', { name: 'More filters' }));
    const dialog = within(await screen.findByRole('dialog'));
    await person.type(dialog.getByRole('textbox', { name: 'Age from' }), '12');
    await person.click(dialog.getByRole('button', { name: 'Apply' }));
    expect(dialog.getByText('Use 18 or more')).toBeVisible();
    expect(currentAddress()).toBe('/users');
  });

  it('show at the second field that a range is reversed, and send nothing', async () => {
    const { person } = await openUsers();
    await person.click(screen.getByRole('button', { name: 'More filters' }));
    const dialog = within(await screen.findByRole('dialog'));
    await person.type(dialog.getByLabelText('Joined from'), '2025-10-02');
    await person.type(dialog.getByLabelText('Joined until'), '2025-10-01');
    await person.type(dialog.getByRole('textbox', { name: 'Age from' }), '40');
    await person.type(dialog.getByRole('textbox', { name: 'Age up to' }), '30');
    await person.click(dialog.getByRole('button', { name: 'Apply' }));
    expect(dialog.getByLabelText('Joined until')).toHaveAccessibleDescription('Choose the same day or a later one');
    expect(dialog.getByLabelText('Age up to')).toHaveAccessibleDescription('Use the same age or a higher one');
    await person.clear(dialog.getByLabelText('Joined until'));
    await person.clear(dialog.getByLabelText('Age up to'));
    await person.type(dialog.getByLabelText('Age up to'), '100');
    expect(currentAddress()).toBe('/users');
    await person.click(dialog.getByRole('button', { name: 'Apply' }));
    expect(currentAddress()).toBe('/users?joinedFrom=2025-10-02&minAge=40&maxAge=100');
  });

  it('use the time zone of a link for its days, and the reader’s for chosen days', async () => {
    vi.stubEnv('TZ', 'Pacific/Auckland');
    onTestFinished(() => void vi.unstubAllEnvs());
    const zone = () => received(listUsers).at(-1)?.query.zone;
    const { person } = await openUsers('/users?joinedFrom=2025-10-01&joinedTo=2025-10-31&zone=UTC');
    expect(screen.getByText('Joined from Oct 1, 2025 (UTC)')).toBeVisible();
    expect(zone()).toBe('UTC');
    await person.click(screen.getByRole('button', { name: 'More filters' }));
    const dialog = within(await screen.findByRole('dialog'));
    fireEvent.change(dialog.getByLabelText('Joined until'), { target: { value: '2025-10-20' } });
    await person.click(dialog.getByRole('button', { name: 'Apply' }));
    expect(currentAddress()).toBe('/users?joinedFrom=2025-10-01&joinedTo=2025-10-20');
    expect(await screen.findByText('Joined until Oct 20, 2025')).toBeVisible();
    await waitFor(() => expect(zone()).toBe('Pacific/Auckland'));
  });

  it.each(['the tag itself', 'one that it replaced'])('show the tag of a link that has %s', async (which) => {
    const merged = ['0a8a3e0c-4c0e-4b0e-8f6d-1f3f8a7d2b11', '1b9b4f1d-5d1f-4c1f-9a7e-2a4a9b8e3c22'];
    const press = { _id: tagId, name: 'Press', isRetired: false, userCount: 2, merged };
    serve(listTags, () => ({ data: { tags: [press] } }));
    const { person } = await openUsers(`/users?tag=${which === 'the tag itself' ? tagId : merged[1]}`);
    expect(await screen.findByText('Tag: Press')).toBeVisible();
    await person.click(screen.getByRole('button', { name: 'More filters' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByRole('combobox', { name: 'Tag' })).toHaveDisplayValue('Press');
  });

  it('show both ends of each range next to each other', async () => {
    const { person } = await openUsers();
    await person.click(screen.getByRole('button', { name: 'More filters' }));
    const fields = (await screen.findByRole('dialog')).querySelectorAll('input, select');
    expect([...fields].slice(0, 8).map((field) => field.getAttribute('name'))).toEqual([
      ...['joinedFrom', 'joinedTo', 'activeFrom', 'activeTo', 'minAge', 'maxAge', 'planEndsFrom', 'planEndsTo'],
    ]);
  });

  it('show when a link has an unknown filter', async () => {
    const { person } = await openUsers('/users?status=active&type=premium&minAge=12');
    const notice = screen.getByRole('alert');
    expect(notice).toHaveTextContent("This link has a filter that isn't known");
    expect(notice).toHaveTextContent('minAge=12, type=premium');
    await person.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(screen.queryByRole('alert')).toBeNull();
    expect(currentAddress()).toBe('/users?status=active');
  });
});
