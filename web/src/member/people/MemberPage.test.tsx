import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { blockUser, unblockUser } from '#contract/connections.ts';
import { createReport } from '#contract/moderation/reports.ts';
import { getUser } from '#contract/profiles/profiles.ts';
import type { PublicUser } from '#contract/profiles/user.ts';
import { formatExactTime } from '../../ui/text/format.ts';
import { failWith, received, Refusal, serve } from '../../../test/fake-server.ts';
import { cardOf, memberNamed, onTop, serveDeck, serveProfile } from '../../../test/fixtures/deck.ts';
import { ownUser } from '../../../test/fixtures/people.ts';
import { picture, pictureId } from '../../../test/fixtures/pictures.ts';
import { currentAddress, renderApp } from '../../../test/render-app.tsx';
import { ownReport, serveMyReports } from '../../../test/fixtures/own-reports.ts';
import { beWide } from '../../../test/fixtures/staff/users.ts';

const bo = memberNamed('Bo', {
  _id: 'bo-1',
  bio: 'Bakes bread.\n<b>Really</b>.',
  profilePicture: null,
  pictures: [],
  isOnline: false,
});
const main = () => within(screen.getByRole('main'));
const undo = () => screen.getByRole('button', { name: 'Undo' });

function serveMember(changes: Partial<PublicUser> = {}, distanceFormatted: string | null = '5–10 km away') {
  serveMyReports([]);
  const distance = distanceFormatted === null ? null : 5;
  const unknown = { compatibilityScore: null, compatibilityBand: null };
  serveProfile({ ...bo, ...changes }, { distance, distanceFormatted, ...unknown });
  serve(blockUser, () => ({ data: { blocked: true } }));
  serve(unblockUser, () => ({ data: { blocked: false } }));
}

async function open() {
  const app = renderApp('/app/members/bo-1', ownUser());
  await screen.findByRole('button', { name: /^Report or block/ });
  return app;
}

/** Opens the menu of actions on Bo. */
async function openSheet() {
  const app = await open();
  await app.person.click(screen.getByRole('button', { name: 'Report or block Bo' }));
  return { ...app, sheet: within(await screen.findByRole('dialog', { name: 'Report or block Bo' })) };
}

describe('a member’s page', () => {
  it('shows all visible details', async () => {
    serveMember({ lastActive: new Date(Date.now() - 3 * 3_600_000).toISOString() });
    await open();
    expect(screen.getByRole('heading', { level: 1, name: 'Bo, 34' })).toBeVisible();
    await screen.findByText('Man');
    for (const text of ['Man', 'Umeå, Sweden', '3–\u20606 miles away', 'Last active: 3h ago'])
      expect(screen.getByText(text)).toBeVisible();
    expect(screen.getByText(/^Bakes bread/).textContent).toBe(bo.bio);
    expect(document.title).toBe('Bo · Heartwood');
  });

  it('shows the exact time of last activity on hover', async () => {
    const lastActive = new Date(Date.now() - 3 * 3_600_000).toISOString();
    serveMember({ lastActive });
    const { person } = await open();
    await person.hover(await screen.findByText('Last active: 3h ago'));
    expect(screen.getByText('Last active: 3h ago')).toHaveAttribute('title', formatExactTime(lastActive));
  });

  it('shows goal, interests, languages, habits, height and prompts', async () => {
    serveMember({
      goal: 'long-term',
      interests: ['baking', 'chess'],
      languages: ['sv', 'en'],
      children: 'want',
      drinking: 'rarely',
      heightCm: 184,
      prompts: [{ prompt: 'kitchen-pride', answer: 'لبنة\nwith bread' }],
    });
    await open();
    const words = ['Something that lasts', 'baking', 'chess', 'Swedish, English', 'Wants children', '184 cm'];
    for (const word of [...words, 'Rarely drinks']) expect(await screen.findByText(word)).toBeVisible();
    expect(screen.getByText('The dish I would cook for you').nextSibling).toHaveTextContent(/لبنة/);
    expect(screen.queryByText(/smok/i)).toBeNull();
  });

  it('has no gaps for an almost empty profile', async () => {
    const nothing = { firstName: null, name: null, gender: null, age: null, bio: null, location: null, isOnline: null };
    serveMember(nothing, null);
    await open();
    expect(screen.getByRole('heading', { level: 1, name: 'This person' })).toBeVisible();
    expect(screen.getByRole('main')).not.toHaveTextContent(/null|undefined|NaN|Last active|Never/);
    expect(screen.queryByRole('term')).toBeNull();
  });

  it('shows the online status if both members share it', async () => {
    serveMember({ isOnline: true, lastActive: new Date().toISOString() });
    await open();
    expect(screen.getByText('Online')).toBeVisible();
    expect(screen.queryByText(/Last active/)).toBeNull();
  });

  it('reports the person with one press on a reason, and then no longer shows them', async () => {
    serveMember();
    serve(createReport, () => ({ data: { report: ownReport() } }));
    const { person, sheet } = await openSheet();
    await person.dblClick(sheet.getByRole('button', { name: 'May be under 18' }));
    expect(await screen.findByRole('dialog', { name: 'Thank you, we have your report' })).toBeVisible();
    expect(received(createReport).map(({ body }) => body)).toEqual([
      {
        problem_type: 'Inappropriate Content',
        description: 'May be under 18',
        reportedUser: 'bo-1',
        mayBeMinor: true,
        hideFromEachOther: true,
      },
    ]);
    failWith(getUser, new Refusal('NOT_FOUND', 'Not found'));
    await person.click(screen.getByRole('button', { name: 'Done' }));
    expect(await screen.findByText("This profile isn't available.")).toBeVisible();
  });

  it('opens the form for other reasons', async () => {
    serveMember();
    const { person, sheet } = await openSheet();
    await person.click(sheet.getByRole('link', { name: 'Something else' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Report Bo' })).toHaveFocus();
    expect(currentAddress()).toBe('/app/support/new?user=bo-1');
    expect(screen.getByRole('link', { name: 'Back to the profile' })).toHaveAttribute('href', '/app/members/bo-1');
  });

  it('hides report and block when it is your own', async () => {
    serveMember({ _id: ownUser()._id });
    renderApp(`/app/members/${ownUser()._id}`, ownUser());
    expect(await screen.findByText('Umeå, Sweden')).toBeVisible();
    expect(screen.queryByRole('button', { name: /^Report or block/ })).toBeNull();
  });

  it('shows a message and links to other people if the person is unavailable', async () => {
    serveMyReports([]);
    failWith(getUser, new Refusal('NOT_FOUND', 'Not found'));
    renderApp('/app/members/gone', ownUser());
    expect(await screen.findByText("This profile isn't available.")).toBeVisible();
    expect(screen.getByRole('link', { name: 'Discover people' })).toHaveAttribute('href', '/app/discover');
    expect(main().getByRole('link', { name: 'Discover' })).toHaveAttribute('href', '/app/discover');
  });

  it('links to Discover when its address was opened directly', async () => {
    serveMember();
    serveDeck([cardOf('Cy')]);
    const { person } = await open();
    await person.click(main().getByRole('link', { name: 'Discover' }));
    await waitFor(() => expect(onTop()).toBe('Cy, 34'));
  });

  it('links back to the page it was opened from', async () => {
    serveMember();
    serveDeck([cardOf('Bo', { user: bo })]);
    beWide();
    const { person } = renderApp('/app/discover?view=grid', ownUser());
    await person.click(await screen.findByRole('link', { name: 'Bo, 34' }));
    await person.click(await main().findByRole('link', { name: 'Back' }));
    await waitFor(() => expect(currentAddress()).toBe('/app/discover?view=grid'));
  });

  it.each([
    ['EMAIL_NOT_VERIFIED', 'Please confirm your e-mail address first', '/app/verify-email'],
    ['PROFILE_INCOMPLETE', 'Please complete your profile first', '/app/welcome'],
  ] as const)("shows the server's text for %s", async (code, words, way) => {
    serveMyReports([]);
    failWith(getUser, new Refusal(code, words));
    renderApp('/app/members/bo-1', ownUser());
    expect(await screen.findByRole('alert')).toHaveTextContent(words);
    expect(screen.getByRole('link', { name: /^(Confirm email|Finish your profile)$/ })).toHaveAttribute('href', way);
  });
});

describe('the pictures of a member', () => {
  const four = ['one', 'two', 'three', 'four'].map((word) => picture(word));
  const shown = () => within(screen.getByRole('group', { name: 'Pictures of Bo' })).getByRole('img');

  it('are shown large in a fixed space', async () => {
    serveMember({ pictures: [picture('one', { width: 1600, height: 2000 })] });
    await open();
    const image = screen.getByRole('img', { name: 'Picture of Bo' });
    expect(image).toHaveAttribute('src', '/api/v1/media/one-400');
    expect(image).toHaveAttribute('srcset', '/api/v1/media/one-400 400w, /api/v1/media/one-1600 1600w');
    expect(image).toHaveAttribute('width', '400');
    expect(image).toHaveAttribute('height', '500');
    expect(image).toHaveAttribute('loading', 'eager');
    await waitFor(() => expect(image.parentElement?.style.backgroundImage).toMatch(/^url\("?data:image\/png/));
  });

  it('are listed one below the other with their own aspect ratio', async () => {
    serveMember({ pictures: four });
    await open();
    const names = () => screen.getAllByRole('img').map((image) => image.getAttribute('alt'));
    await waitFor(() => expect(names()).toEqual([1, 2, 3, 4].map((number) => `Bo: picture ${number} of 4`)));
    expect(screen.getByRole('img', { name: 'Bo: picture 2 of 4' })).toHaveAttribute('loading', 'lazy');
  });

  it('are replaced by the initial if there is none or it fails to load', async () => {
    serveMember({ pictures: [picture('one')] });
    const { unmount } = await open();
    fireEvent.error(shown());
    expect(screen.getByRole('img', { name: 'Picture of Bo' })).toHaveTextContent('B');
    unmount();
    serveMember({ pictures: [] });
    await open();
    await waitFor(() => expect(screen.getByRole('group', { name: 'Pictures of Bo' })).toHaveTextContent('B'));
    expect(screen.queryByRole('link', { name: /^Report picture/ })).toBeNull();
  });

  it('are fetched again when their addresses have expired', async () => {
    serveMember({ pictures: [picture('one')] });
    vi.useFakeTimers({ toFake: ['Date'] });
    await open();
    serveMember({ pictures: [picture('one', { thumbnailUrl: '/api/v1/media/fresh' })] });
    fireEvent.error(shown());
    expect(received(getUser)).toHaveLength(1);
    vi.setSystemTime(Date.now() + 6 * 60_000);
    fireEvent.error(screen.getByText('B'));
    await waitFor(() => expect(shown()).toHaveAttribute('src', '/api/v1/media/fresh'));
    vi.useRealTimers();
  });

  it('can each be reported', async () => {
    serveMember({ pictures: four });
    const { person } = await open();
    const links = () => screen.getAllByRole('link', { name: /^Report picture \d of 4$/ });
    await waitFor(() => expect(links()).toHaveLength(4));
    // The first picture fills the screen, so its link comes after the text.
    expect(links().at(-1)).toHaveAccessibleName('Report picture 1 of 4');
    await person.click(screen.getByRole('link', { name: 'Report picture 2 of 4' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Report a picture of Bo' })).toHaveFocus();
    expect(currentAddress()).toBe(`/app/support/new?user=bo-1&picture=${pictureId('two')}`);
  });

  it("can't be reported on your own page", async () => {
    serveMember({ _id: ownUser()._id, pictures: four });
    renderApp(`/app/members/${ownUser()._id}`, ownUser());
    expect(await screen.findByRole('img', { name: 'Bo: picture 4 of 4' })).toBeVisible();
    expect(screen.queryByRole('link', { name: /^Report picture/ })).toBeNull();
  });
});

describe('blocking', () => {
  it('is sent immediately and only once, and can be undone', async () => {
    serveMember();
    const { person, sheet } = await openSheet();
    await person.dblClick(sheet.getByRole('button', { name: 'Block' }));
    expect(screen.getByRole('status')).toHaveTextContent('You and Bo no longer see each other.');
    await waitFor(() => expect(received(blockUser).map(({ params }) => params)).toEqual([{ userId: 'bo-1' }]));
    await person.click(undo());
    await waitFor(() => expect(received(unblockUser).map(({ params }) => params)).toEqual([{ userId: 'bo-1' }]));
    expect(screen.getByRole('status')).toHaveTextContent('Bo is no longer blocked.');
  });

  it('can be undone on the page after the notice has disappeared', async () => {
    serveMember();
    const { person, sheet } = await openSheet();
    await person.click(sheet.getByRole('button', { name: 'Block' }));
    await person.click(screen.getByRole('button', { name: 'Dismiss' }));
    await person.click(screen.getByRole('button', { name: 'Unblock' }));
    await waitFor(() => expect(received(unblockUser)).toHaveLength(1));
  });

  it('is undone with an error when it fails', async () => {
    serveMember();
    failWith(blockUser, new Refusal('TOO_MANY_REQUESTS', 'Please wait a moment'));
    const { person, sheet } = await openSheet();
    await person.click(sheet.getByRole('button', { name: 'Block' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Please wait a moment');
    await person.click(screen.getByRole('button', { name: 'Report or block Bo' }));
    expect(screen.getByRole('button', { name: 'Block' })).not.toHaveAttribute('aria-disabled');
  });
});
