import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { getKnownPeople, putKnownPeople, removeKnownPerson } from '#contract/known-people.ts';
import { putNotificationSettings } from '#contract/notifications.ts';
import { getHiddenWords, putHiddenWords } from '#contract/profiles/hidden-words.ts';
import type { searchUsers } from '#contract/profiles/profiles.ts';
import { CutOff, failWith, received, Refusal } from '../../../test/fake-server.ts';
import { serveHiddenWords, serveKnownPeople } from '../../../test/fixtures/control.ts';
import { serveSettings } from '../../../test/fixtures/own-settings.ts';
import { administrator, ownUser } from '../../../test/fixtures/people.ts';
import { renderApp } from '../../../test/render-app.tsx';
import { runSettledWork } from '../../../test/settled.ts';
import { call } from '../../api/call.ts';
import { keyAt } from '../../api/endpoint-query.ts';
import { keys } from '../../api/keys.ts';
import { queryClient } from '../../api/query-client.ts';
import { keepSession } from '../../api/session/stored-session.ts';

const part = async (name: string) => within(await screen.findByRole('region', { name }));

beforeEach(() => serveSettings());

describe('hidden words in the settings', () => {
  it('are edited as one word per line', async () => {
    serveHiddenWords('crypto');
    const { person } = renderApp('/app/settings/blocked', ownUser());
    const words = await part('Hidden words');
    const field = await words.findByLabelText('Words and phrases, one on each line');
    expect(field).toHaveValue('crypto');
    await person.type(field, '{enter}{enter}one night stand');
    await person.click(words.getByRole('button', { name: 'Save words' }));
    const saved = await words.findByText('Your words are saved.');
    expect(words.getByRole('button', { name: 'Save words' })).toHaveFocus();
    await person.click(words.getByRole('button', { name: 'Save words' }));
    await waitFor(() => expect(saved).not.toBeInTheDocument());
    expect(words.getByText('Your words are saved.')).toBeVisible();
    expect(received(putHiddenWords)[0]?.body).toEqual({ words: ['crypto', 'one night stand'] });
    expect(words.getByLabelText('Words and phrases, one on each line')).toHaveValue('crypto\none night stand');
  });

  it('hide people who were already loaded', async () => {
    const people = keyAt<typeof searchUsers>('/auth/search-users', {});
    serveHiddenWords();
    const { person } = renderApp('/app/settings/blocked', ownUser());
    const lists = [keys.deck, keys.likesReceived, keys.likesSent, people];
    for (const key of lists) queryClient.setQueryData(key, {});
    const words = await part('Hidden words');
    await person.type(await words.findByLabelText('Words and phrases, one on each line'), 'crypto');
    await person.click(words.getByRole('button', { name: 'Save words' }));
    await words.findByText('Your words are saved.');
    expect(lists.map((key) => queryClient.getQueryState(key)?.isInvalidated)).toEqual(lists.map(() => true));
  });

  it('show what is wrong with them, and whether they could be loaded', async () => {
    failWith(getHiddenWords, new CutOff());
    const { person } = renderApp('/app/settings/blocked', ownUser());
    const words = await part('Hidden words');
    expect(await words.findByText(/^Couldn't load your words: Network error/)).toBeVisible();
    serveHiddenWords();
    await person.click(words.getByRole('button', { name: 'Retry' }));
    await person.type(await words.findByLabelText('Words and phrases, one on each line'), 'x');
    await person.click(words.getByRole('button', { name: 'Save words' }));
    expect(await words.findByText('Use at least 2 characters')).toBeVisible();
    expect(received(putHiddenWords)).toEqual([]);
  });
});

describe('people I know', () => {
  it('are added from pasted text and removed one by one or together', async () => {
    const { person } = renderApp('/app/settings/blocked', ownUser());
    const known = await part('People you know');
    const field = await known.findByLabelText('Email addresses of people you know');
    await person.click(field);
    await person.paste('Bo Berg <bo@x.test>, cy@x.test;\nDi (di@x.test)');
    await person.click(known.getByRole('button', { name: 'Hide me from them' }));
    expect(await known.findByText(/^3 addresses stored\. You can add 17 more today\./)).toBeVisible();
    expect(known.getByRole('button', { name: 'Hide me from them' })).toHaveFocus();
    expect(field).toHaveValue('');
    expect(received(putKnownPeople)[0]?.body.addresses).toEqual(['bo@x.test', 'cy@x.test', 'di@x.test']);
    await person.type(known.getByLabelText('Address to remove'), 'bo@x.test');
    await person.click(known.getByRole('button', { name: 'Remove address' }));
    expect(await known.findByText(/^If this address was stored, it is removed\./)).toBeVisible();
    expect(received(removeKnownPerson)[0]?.body).toEqual({ address: 'bo@x.test' });
    await person.click(known.getByRole('button', { name: 'Remove all addresses' }));
    await person.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Remove all' }));
    expect(await known.findByText(/^No addresses stored\./)).toBeVisible();
    expect(known.queryByLabelText('Address to remove')).toBeNull();
  });

  it('show which single address is wrong, and no longer that others were saved', async () => {
    const { person } = renderApp('/app/settings/blocked', ownUser());
    const known = await part('People you know');
    const field = await known.findByLabelText('Email addresses of people you know');
    await person.type(field, 'bo@x.test{Enter}');
    await person.click(known.getByRole('button', { name: 'Hide me from them' }));
    const saved = await known.findByText(/^Saved\./);
    await person.type(field, 'cy@x.test, di@x, ed@x.test');
    await person.click(known.getByRole('button', { name: 'Hide me from them' }));
    expect(field).toHaveAccessibleDescription("di@x isn't a complete email address");
    expect(saved).not.toBeInTheDocument();
    expect(received(putKnownPeople)).toHaveLength(1);
  });

  it('keep the pasted text when saving is refused', async () => {
    serveKnownPeople();
    failWith(
      putKnownPeople,
      new Refusal('TOO_MANY_REQUESTS', 'You can add 20 addresses a day. Please come back tomorrow.'),
    );
    const { person } = renderApp('/app/settings/blocked', ownUser());
    const known = await part('People you know');
    const field = await known.findByLabelText('Email addresses of people you know');
    await person.type(field, 'nothing');
    await person.click(known.getByRole('button', { name: 'Hide me from them' }));
    expect(await known.findByText('Add at least one address')).toBeVisible();
    await person.type(field, ' bo@x.test');
    await person.click(known.getByRole('button', { name: 'Hide me from them' }));
    expect(await known.findByText(/^You can add 20 addresses a day/)).toBeVisible();
    expect(field).toHaveValue('nothing bo@x.test');
  });

  it('are not shown to staff', async () => {
    renderApp('/app/settings/blocked', administrator());
    await screen.findByRole('region', { name: 'Blocked people' });
    expect(screen.queryByRole('region', { name: 'People you know' })).toBeNull();
    expect(received(getKnownPeople)).toEqual([]);
  });
});

describe('quiet hours', () => {
  it.each([
    ['Asia/Tokyo', 'Asia/Tokyo'],
    ['Etc/Unknown', 'Etc/GMT-9'],
  ])('are saved with the time zone of the device in %s, and ended', async (timeZone, zone) => {
    const options = Intl.DateTimeFormat().resolvedOptions();
    vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue({ ...options, timeZone });
    vi.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValue(-540);
    const { person } = renderApp('/app/settings/notifications', ownUser());
    const quiet = await part('Quiet hours');
    await person.click(await quiet.findByRole('checkbox', { name: 'Keep quiet every night' }));
    expect(quiet.getByLabelText('From')).toHaveValue('22:00');
    await person.click(quiet.getByRole('button', { name: 'Save quiet hours' }));
    expect(await quiet.findByText('Your quiet hours are saved.')).toBeVisible();
    expect(quiet.getByRole('button', { name: 'Save quiet hours' })).toHaveFocus();
    expect(received(putNotificationSettings)[0]?.body).toEqual({ quiet: { from: '22:00', to: '07:00', zone } });
    await person.click(quiet.getByRole('checkbox', { name: 'Keep quiet every night' }));
    await person.click(quiet.getByRole('button', { name: 'Save quiet hours' }));
    await waitFor(() => expect(received(putNotificationSettings)[1]?.body).toEqual({ quiet: null }));
  });

  it('follow the zone of the device at each visit, and name it', async () => {
    const quiet = { from: '23:00', to: '06:00', zone: 'Asia/Tokyo' };
    const { timeZone: zone } = Intl.DateTimeFormat().resolvedOptions();
    keepSession({ token: 'token-1', refreshToken: 'refresh-1', user: ownUser() });
    await call(putNotificationSettings, { body: { quiet } });
    const visit = async () => {
      const { unmount } = renderApp('/app/settings/notifications', ownUser());
      const page = await part('Quiet hours');
      await waitFor(() => expect(page.queryByText('Loading...')).toBeNull());
      runSettledWork();
      return { page, unmount };
    };
    const moved = () => received(putNotificationSettings).slice(1);
    const { unmount } = await visit();
    await waitFor(() => expect(moved().map(({ body }) => body)).toEqual([{ quiet: { ...quiet, zone } }]));
    unmount();
    const { page } = await visit();
    expect(moved()).toHaveLength(1);
    expect(
      await page.findByText(new RegExp(`In this device's time zone, ${zone.replaceAll('_', ' ')}\\.`)),
    ).toBeVisible();
  });
});
