import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { listMatches, unmatchUser } from '#contract/connections.ts';
import { CutOff, failWith, received, Refusal } from '../../../test/fake-server.ts';
import { matchWith, serveLikes } from '../../../test/fixtures/likes.ts';
import { administrator, ownUser } from '../../../test/fixtures/people.ts';
import { currentAddress, renderApp } from '../../../test/render-app.tsx';

const rows = () => within(screen.getByRole('list', { name: 'Your matches' })).getAllByRole('listitem');

async function openMatches() {
  const app = renderApp('/app/matches', ownUser());
  await screen.findByRole('list', { name: 'Your matches' });
  return app;
}

describe('the matches', () => {
  it('show errors and an empty state', async () => {
    serveLikes();
    failWith(listMatches, new CutOff());
    const { person } = renderApp('/app/matches', ownUser());
    expect(await screen.findByRole('alert')).toHaveTextContent(/^Couldn't load your matches: Network error/);
    serveLikes();
    await person.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('You have no matches yet.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Discover people' })).toHaveAttribute('href', '/app/discover');
  });

  it('require missing steps first and are hidden from staff', async () => {
    serveLikes();
    failWith(listMatches, new Refusal('EMAIL_NOT_VERIFIED', 'Please confirm your e-mail address first'));
    const { unmount } = renderApp('/app/matches', ownUser());
    expect(await screen.findByRole('link', { name: 'Confirm email' })).toHaveAttribute('href', '/app/verify-email');
    unmount();
    renderApp('/app/matches', administrator());
    expect(await screen.findByText("This is for members. Staff accounts can't use matching.")).toBeVisible();
  });

  it('show the age after a name that is written from right to left', async () => {
    serveLikes({ matches: [matchWith('דניאל')] });
    await openMatches();
    const link = within(rows()[0] ?? document.body).getByRole('link', { name: /, 34$/ });
    expect(link.textContent).toBe('\u2068דניאל\u2069, 34');
    // An element that takes its direction from the name would put the age in front.
    expect(link.querySelector('bdi, [dir]')).toBeNull();
  });

  it('show the person, the date, both notes, and links to profile, messages and report', async () => {
    serveLikes({ matches: [matchWith('Bo', { myNote: 'Hi', theirNote: 'Hello' }), matchWith('Cy')] });
    const { person } = await openMatches();
    const [bo, cy] = rows();
    expect(within(bo ?? document.body).getByRole('link', { name: 'Bo, 34' })).toHaveAttribute(
      'href',
      '/app/members/bo?from=matches',
    );
    expect(bo).toHaveTextContent(/You matched on Oct 18, 2025.*Bo wrote:Hello.*You wrote:Hi/);
    expect(cy).not.toHaveTextContent('wrote');
    expect(within(bo ?? document.body).getByRole('link', { name: 'Message Bo' })).toHaveAttribute(
      'href',
      '/app/messages/match-bo',
    );
    await person.click(within(bo ?? document.body).getByRole('button', { name: 'More about Bo' }));
    expect(within(bo ?? document.body).getByRole('link', { name: 'Report this note' })).toHaveAttribute(
      'href',
      '/app/support/new?user=bo&note=1',
    );
    await person.click(within(bo ?? document.body).getByRole('link', { name: 'Report' }));
    expect(currentAddress()).toBe('/app/support/new?user=bo');
  });

  it('are ended after a confirmation and kept when it is canceled', async () => {
    serveLikes({ matches: [matchWith('Bo'), matchWith('Cy')] });
    const { person } = await openMatches();
    await person.click(screen.getByRole('button', { name: 'More about Bo' }));
    await person.click(screen.getByRole('button', { name: 'Unmatch Bo' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Unmatch Bo?' }));
    await person.click(dialog.getByRole('button', { name: 'Keep the match' }));
    const menu = screen.getByRole('button', { name: 'More about Bo' });
    await waitFor(() => expect(menu).toHaveFocus());
    expect(screen.queryByRole('button', { name: 'Unmatch Bo' })).toBeNull();
    expect(received(unmatchUser)).toEqual([]);
    await person.click(menu);
    await person.click(screen.getByRole('button', { name: 'Unmatch Bo' }));
    await person.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Unmatch' }));
    expect(await screen.findByText('You and Bo are no longer a match.')).toHaveAttribute('role', 'status');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(rows()).toHaveLength(1);
    expect(received(unmatchUser).map(({ params }) => params.id)).toEqual(['match-bo']);
  });

  it("stay with an error when they can't be ended, unless the other person has ended them", async () => {
    serveLikes({ matches: [matchWith('Bo')] });
    failWith(unmatchUser, new Refusal('TOO_MANY_REQUESTS', 'Please wait a moment'));
    const { person } = await openMatches();
    await person.click(screen.getByRole('button', { name: 'More about Bo' }));
    await person.click(screen.getByRole('button', { name: 'Unmatch Bo' }));
    const unmatch = within(await screen.findByRole('dialog')).getByRole('button', { name: 'Unmatch' });
    await person.click(unmatch);
    expect(await screen.findByRole('alert')).toHaveTextContent('You are still a match: Please wait a moment');
    failWith(unmatchUser, new Refusal('NOT_FOUND', 'Not found'));
    await person.click(unmatch);
    expect(await screen.findByText('You have no matches yet.')).toBeVisible();
  });

  it('include no one twice when a match arrives while more are loaded', async () => {
    const known = serveLikes({ matches: Array.from({ length: 25 }, (_, at) => matchWith(`P${at}`)) });
    const { person } = await openMatches();
    known.matches.unshift(matchWith('New'));
    await person.click(screen.getByRole('button', { name: 'Show more' }));
    await waitFor(() => expect(rows()).toHaveLength(25));
    expect(new Set(rows().map((row) => within(row).getAllByRole('link')[0]?.textContent)).size).toBe(25);
  });
});
