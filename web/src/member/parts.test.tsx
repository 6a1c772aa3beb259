import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { listBookmarks } from '#contract/bookmarks.ts';
import { getCheckIn, getDate } from '#contract/dates.ts';
import { listHelpLines } from '#contract/moderation/help-lines.ts';
import { sendMessage } from '#contract/messages/messages.ts';
import { readNotifications } from '#contract/notifications.ts';
import type { OwnUser } from '#contract/profiles/user.ts';
import { allParts, type Parts } from '#contract/service/parts.ts';
import { showBrand } from '../brand.ts';
import { failWith, Refusal, serve } from '../../test/fake-server.ts';
import { message, openConversation, ownMessage, serveConversations } from '../../test/fixtures/conversations.ts';
import { serveNotificationSettings } from '../../test/fixtures/notifications.ts';
import { serveSettings } from '../../test/fixtures/own-settings.ts';
import { ownUser } from '../../test/fixtures/people.ts';
import { currentAddress, renderApp, serviceConfig } from '../../test/render-app.tsx';
import { receiveOverSocket } from '../../test/test-socket.ts';

let parts: Parts;
beforeEach(() => {
  parts = allParts;
  showBrand({ ...serviceConfig().brand, parts });
});

const without = (...off: (keyof Parts)[]) => {
  parts = { ...allParts, ...Object.fromEntries(off.map((part) => [part, false])) };
};

/** Opens a page whose document came with the parts, as the server sends it. */
function open(at: string, user?: OwnUser) {
  showBrand({ ...serviceConfig().brand, parts });
  return renderApp(at, user, user, () => serviceConfig({ parts }));
}
const button = (name: string) => screen.queryByRole('button', { name });

describe('a conversation', () => {
  beforeEach(() => {
    serveConversations({ Bo: [message(1), ownMessage(2)] });
    serve(getDate, () => ({ data: { canPlan: true, date: null } }));
  });

  it('loses a part that the owner switches off, and gets it back, without a reload', async () => {
    open('/app/messages/match-bo', ownUser());
    const names = ['Plan a date', 'Send photos', 'Record a voice message'];
    for (const name of names) expect(await screen.findByRole('button', { name })).toBeVisible();
    without('dates', 'photos', 'voice');
    await receiveOverSocket({ kind: 'service' });
    for (const name of names) await waitFor(() => expect(button(name)).toBeNull());
    without();
    await receiveOverSocket({ kind: 'service' });
    for (const name of names) expect(await screen.findByRole('button', { name })).toBeVisible();
  });

  it('keeps one kind of attachment while the other is off', async () => {
    without('voice');
    open('/app/messages/match-bo', ownUser());
    expect(await screen.findByRole('button', { name: 'Send photos' })).toBeVisible();
    await waitFor(() => expect(button('Record a voice message')).toBeNull());
  });

  it('shows why an agreed date ended', async () => {
    without('dates');
    const canceled = { _id: 'date-1', at: '2025-10-24T18:00:00.000Z', zone: 'Europe/Lisbon' };
    serve(getDate, () => ({ data: { canPlan: false, date: null, canceled } }));
    open('/app/messages/match-bo', ownUser());
    const strip = within(await screen.findByRole('region', { name: 'Your date with Bo' }));
    expect(await strip.findByText("Dates can't be planned here any more.")).toBeVisible();
    expect(strip.getByRole('button', { name: 'Remove from calendar' })).toBeVisible();
  });

  it('continues when a message is refused because its kind was switched off', async () => {
    failWith(sendMessage, new Refusal('PART_OFF', "This isn't offered here at the moment."));
    const { person, field } = await openConversation();
    await person.type(field, 'Hello{Control>}{Enter}{/Control}');
    expect(await screen.findByRole('alert')).toHaveTextContent("This isn't offered here at the moment.");
    expect(button('Try again')).toBeNull();
    expect(field).toBeVisible();
  });
});

describe('when People is switched off', () => {
  it('the page shows the bookmarks, and so does the menu', async () => {
    without('people');
    serve(listBookmarks, () => ({ data: { bookmarks: [], nextCursor: null } }));
    open('/app/people', ownUser());
    expect(await screen.findByRole('heading', { level: 1, name: 'Bookmarks' })).toBeVisible();
    expect(currentAddress()).toBe('/app/people?tab=bookmarks');
    expect(screen.queryByText('People')).toBeNull();
    expect(screen.getByRole('link', { name: 'Bookmarks' })).toHaveAttribute('href', '/app/people');
  });
});

describe('when outsider reports are switched off', () => {
  beforeEach(() => {
    without('notices');
    serve(listHelpLines, () => ({ data: { lines: [] } }));
  });

  it('the form redirects to the safety center, which does not offer it', async () => {
    open('/app/report');
    expect(await screen.findByRole('heading', { level: 1, name: 'Safety center' })).toBeVisible();
    expect(currentAddress()).toBe('/app/safety');
    expect(screen.queryByRole('link', { name: 'Report something illegal' })).toBeNull();
  });

  it('the emailed link still shows the outcome of a notice', async () => {
    open('/app/report#a.1.b');
    expect(await screen.findByRole('button', { name: 'Show my notices' })).toBeVisible();
  });
});

describe('when dates are switched off', () => {
  it('a notification about an ended date links to the reason', async () => {
    without('dates');
    const at = '2025-10-24T18:00:00.000Z';
    serve(getCheckIn, () => ({
      data: {
        checkIn: {
          matchId: 'match-bo',
          name: 'Bo',
          place: 'Café Luz',
          zone: 'Europe/Lisbon',
          at,
          state: 'none' as const,
        },
      },
    }));
    serve(readNotifications, () => ({ data: { unread: 0 } }));
    open('/app/check-in/date-1', ownUser());
    expect(await screen.findByText('This date is no longer planned.')).toBeVisible();
    expect(screen.getByText("Dates can't be planned here any more.")).toBeVisible();
  });

  it('neither the settings nor the advice mention them', async () => {
    without('dates');
    serveSettings();
    serveNotificationSettings();
    const { unmount } = open('/app/settings/notifications', ownUser());
    expect(await screen.findByText('Messages, matches and likes wait until the end.')).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('combobox', { name: 'Dates By email' })).toBeNull());
    unmount();
    serve(listHelpLines, () => ({ data: { lines: [] } }));
    open('/app/safety');
    expect(await screen.findByText(/Meet in a public place/)).toBeVisible();
    await waitFor(() => expect(screen.queryByText(/If you plan the date/)).toBeNull());
  });
});
