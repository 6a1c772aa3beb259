import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { addBookmark, type BookmarkView, listBookmarks, removeBookmark } from '#contract/bookmarks.ts';
import { paginate } from '#contract/paging.ts';
import { searchUsers } from '#contract/profiles/profiles.ts';
import { received, serve } from '../../../test/fake-server.ts';
import { memberNamed } from '../../../test/fixtures/deck.ts';
import { serveMyReports } from '../../../test/fixtures/own-reports.ts';
import { ownUser } from '../../../test/fixtures/people.ts';
import { currentAddress, renderApp } from '../../../test/render-app.tsx';

function serveDirectory(...names: string[]): void {
  serveMyReports([]);
  serve(searchUsers, ({ query: { cursor, limit = 20 } }) => {
    const end = names.indexOf(cursor ?? '') + 1 + limit;
    const nextCursor = end < names.length ? (names[end - 1] ?? null) : null;
    return {
      data: {
        users: names.slice(end - limit, end).map((name) => memberNamed(name)),
        pagination: { ...paginate(1, limit, names.length), nextCursor },
        searchParams: {},
      },
    };
  });
}

const cards = async () => within(await screen.findByRole('list', { name: 'People' })).getAllByRole('listitem');
const queries = () => received(searchUsers).map(({ query }) => query);

describe('the directory', () => {
  it('shows people with links to their profiles, page by page', async () => {
    serveDirectory(...Array.from({ length: 30 }, (_, index) => `P${index + 10}`));
    const { person } = renderApp('/app/people', ownUser());
    const [first] = await cards();
    expect(within(first ?? document.body).getByRole('link', { name: 'P10, 34' })).toHaveAttribute(
      'href',
      '/app/members/p10?from=people',
    );
    expect(await cards()).toHaveLength(24);
    await person.click(screen.getByRole('button', { name: 'Show more' }));
    await waitFor(async () => expect(await cards()).toHaveLength(30));
  });

  it('applies filters, which stay in the address, and clears them', async () => {
    serveDirectory('Bo');
    const { person } = renderApp('/app/people', ownUser());
    await cards();
    await person.click(screen.getByRole('button', { name: 'Filters' }));
    await person.type(screen.getByLabelText('First name'), 'Bo');
    await person.selectOptions(screen.getByLabelText('Show'), 'Men');
    await person.type(screen.getByLabelText('From age'), '٣٠');
    await person.type(screen.getByLabelText('To age'), '४०');
    await person.selectOptions(screen.getByLabelText('Distance'), '15 miles');
    await person.click(screen.getByRole('checkbox', { name: 'Online now' }));
    await person.click(screen.getByRole('button', { name: 'Search' }));
    const chosen = {
      search: 'Bo',
      gender: 'man',
      minAge: 30,
      maxAge: 40,
      maxDistance: 25,
      onlineNow: true,
      sortBy: 'newest',
    };
    await waitFor(() => expect(queries().at(-1)).toMatchObject(chosen));
    expect(decodeURI(currentAddress())).toBe(
      '/app/people?search=Bo&gender=man&minAge=٣٠&maxAge=४०&maxDistance=25&sortBy=newest&onlineNow=true',
    );
    expect(screen.getByRole('button', { name: 'Search' })).toHaveFocus();
    expect(await screen.findByText('One person is shown.')).toBeInTheDocument();
    await person.click(await screen.findByRole('button', { name: 'Clear filters' }));
    expect(screen.getByRole('button', { name: 'Clear filters' })).toHaveFocus();
    expect(screen.getByLabelText('First name')).toHaveValue('');
    await waitFor(() => expect(currentAddress()).toBe('/app/people'));
  });

  it('shows invalid filters at their fields', async () => {
    serveDirectory('Bo');
    const { person } = renderApp('/app/people', ownUser());
    await cards();
    await person.click(screen.getByRole('button', { name: 'Filters' }));
    await person.type(screen.getByLabelText('From age'), '7');
    await person.click(screen.getByRole('button', { name: 'Search' }));
    expect(screen.getByLabelText('From age')).toBeInvalid();
    expect(currentAddress()).toBe('/app/people');
  });
});

describe('the bookmarks', () => {
  function serveBookmarks(...names: string[]): void {
    serveDirectory();
    const bookmark = (name: string): BookmarkView => ({
      user: memberNamed(name),
      bookmarkedAt: '2025-10-18T10:00:00.000Z',
    });
    let known = names.map(bookmark);
    serve(listBookmarks, () => ({ data: { bookmarks: known, nextCursor: null } }));
    serve(removeBookmark, ({ params: { userId } }) => {
      known = known.filter(({ user }) => user._id !== userId);
      return { data: { isBookmarked: false } };
    });
    serve(addBookmark, () => ({ data: { isBookmarked: true } }));
  }

  it('list people without those that were removed', async () => {
    serveBookmarks('Bo', 'Cy');
    const { person } = renderApp('/app/people?tab=bookmarks', ownUser());
    const list = within(await screen.findByRole('list', { name: 'Your bookmarks' }));
    expect(list.getByRole('link', { name: 'Bo, 34' })).toHaveAttribute('href', '/app/members/bo?from=bookmarks');
    const button = list.getByRole('button', { name: 'Bookmark Bo' });
    expect(button).toHaveAttribute('aria-pressed', 'true');
    await person.click(button);
    await waitFor(() => expect(list.queryByRole('link', { name: 'Bo, 34' })).toBeNull());
    expect(list.getByRole('link', { name: 'Cy, 34' })).toBeVisible();
  });

  it('explain how to add some', async () => {
    serveBookmarks();
    renderApp('/app/people?tab=bookmarks', ownUser());
    expect(await screen.findByText('You have no bookmarks yet.')).toBeVisible();
  });
});
