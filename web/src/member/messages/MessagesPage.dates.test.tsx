import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import * as calls from '#contract/dates.ts';
import { failWith, RawAnswer, received, Refusal, serve } from '../../../test/fake-server.ts';
import { message, openConversation, ownMessage, serveConversations } from '../../../test/fixtures/conversations.ts';
import { ownUser } from '../../../test/fixtures/people.ts';
import { renderApp } from '../../../test/render-app.tsx';
import { receiveOverSocket } from '../../../test/test-socket.ts';

const ownId = ownUser()._id;
let date: calls.DateView | null;

const planned = (changes: Partial<calls.DateView> = {}): calls.DateView => ({
  ...{ _id: 'date-1', from: 'bo', place: 'Café Luz', zone: 'Europe/Lisbon', note: 'By the window' },
  ...{ at: '2025-10-24T18:00:00.000Z', state: 'proposed', checksIn: false, mayCheckIn: false, link: null, name: null },
  ...changes,
});
const change = (changes: Partial<calls.DateView>) => {
  date = planned({ ...date, ...changes });
  return { data: { date } };
};

beforeEach(() => {
  serveConversations({ Bo: [message(1), ownMessage(2)] });
  date = null;
  serve(calls.getDate, () => ({ data: { canPlan: true, date } }));
  serve(calls.proposeDate, ({ body }) => change({ ...body, from: ownId, note: body.note ?? null }));
  serve(calls.acceptDate, ({ body }) => change({ state: 'accepted', checksIn: body.checksIn }));
  serve(calls.putCheckIn, ({ body }) => change({ checksIn: body.checksIn }));
  serve(calls.shareDate, () => change({ link: 'https://heartwood.test/app/date#a.b' }));
  serve(calls.endDateShare, () => change({ link: null }));
  serve(calls.cancelDate, () => {
    date = null;
    return { data: {} };
  });
});

const strip = async () => within(await screen.findByRole('region', { name: 'Your date with Bo' }));
const press = async (person: Awaited<ReturnType<typeof openConversation>>['person'], name: string) =>
  await person.click(await screen.findByRole('button', { name }));

describe('a date with a match', () => {
  it.each([
    ['the first answer', [message(1)], ownMessage(2)],
    ['their first message', [ownMessage(1)], message(2)],
  ])('can be planned from %s on', async (_, before, first) => {
    const known = serveConversations({ Bo: before });
    serve(calls.getDate, () => ({ data: { canPlan: known.messages['match-bo']?.length === 2, date } }));
    await openConversation();
    expect(screen.queryByRole('button', { name: 'Plan a date' })).toBeNull();
    known.messages['match-bo'] = [...before, first];
    await receiveOverSocket({ kind: 'message', matchId: 'match-bo', message: first });
    expect(await screen.findByRole('button', { name: 'Plan a date' })).toBeVisible();
  });

  it.each([
    ['Europe/Lisbon', 'Europe/Lisbon'],
    ['Etc/Unknown', 'Etc/GMT-1'],
  ])('is planned in four steps on a device in %s, and pinned above the messages', async (timeZone, zone) => {
    const options = new Intl.DateTimeFormat().resolvedOptions();
    vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue({ ...options, timeZone });
    vi.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValue(-60);
    const { person } = await openConversation();
    await press(person, 'Plan a date');
    const dialog = within(await screen.findByRole('dialog', { name: 'Plan a date with Bo' }));
    await person.click(dialog.getByRole('button', { name: 'Suggest date' }));
    expect(await dialog.findAllByText('This is required')).not.toEqual([]);
    expect(received(calls.proposeDate)).toEqual([]);
    await person.type(dialog.getByRole('textbox', { name: /Place/ }), 'Museum');
    const [tomorrow] = within(dialog.getByRole('group', { name: 'Suggested times' })).getAllByRole('button');
    await person.click(tomorrow ?? document.body);
    const { value } = dialog.getByLabelText<HTMLInputElement>(/Day and time/);
    await person.click(dialog.getByRole('button', { name: 'Suggest date' }));
    expect((await strip()).getByText('You suggested a date to Bo')).toBeVisible();
    expect(received(calls.proposeDate).map(({ body }) => body)).toEqual([
      {
        ...{ place: 'Museum', at: new Date(value).toISOString(), note: null, checksIn: true },
        zone,
      },
    ]);
  });

  it.each([
    ['Europe/Berlin', '2027-03-28T02:30', true],
    ['Australia/Sydney', '2026-10-04T02:30', true],
    ['Europe/Berlin', '2027-03-28T03:30', false],
  ])('shows when the clock skips the hour: in %s, %s: %s', async (zone, at, isSkipped) => {
    vi.stubEnv('TZ', zone);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { person } = await openConversation();
    await press(person, 'Plan a date');
    const dialog = within(await screen.findByRole('dialog', { name: 'Plan a date with Bo' }));
    await person.type(dialog.getByRole('textbox', { name: /Place/ }), 'Museum');
    const time = dialog.getByLabelText(/Day and time/);
    await person.type(time, at);
    await person.click(dialog.getByRole('button', { name: 'Suggest date' }));
    if (isSkipped) expect(time).toHaveAccessibleDescription('The clock skips this hour. Choose another time.');
    else await strip();
    expect(received(calls.proposeDate)).toHaveLength(isSkipped ? 0 : 1);
  });

  it('is accepted with the choice of a check-in', async () => {
    date = planned();
    const { person } = await openConversation();
    await person.click((await strip()).getByRole('button', { name: /^Bo suggests a date/ }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Bo suggests a date' }));
    expect(dialog.getByText('By the window')).toBeVisible();
    await person.click(dialog.getByRole('button', { name: "Safety: we'll ask how it went" }));
    await person.click(dialog.getByRole('checkbox', { name: 'Ask me how it went' }));
    await person.click(dialog.getByRole('button', { name: 'Accept date' }));
    expect(await screen.findByRole('dialog', { name: 'Date with Bo' })).toBeVisible();
    expect(received(calls.acceptDate).map(({ body }) => body)).toEqual([{ checksIn: false }]);
  });

  it('can be removed from calendars after it was canceled', async () => {
    const { at, zone } = planned();
    serve(calls.getDate, () => ({ data: { canPlan: true, date: null, canceled: { _id: 'date-1', at, zone } } }));
    failWith(calls.getDateCalendar, new RawAnswer(200, 'BEGIN:VCALENDAR'));
    vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:heartwood');
    const { person } = await openConversation();
    expect((await strip()).getByText(/^Date canceled: /)).toBeVisible();
    await press(person, 'Remove from calendar');
    await waitFor(() => expect(URL.createObjectURL).toHaveBeenCalledOnce());
    expect(received(calls.getDateCalendar).map(({ params }) => params)).toEqual([{ id: 'date-1' }]);
  });

  it('shows why it could not be accepted', async () => {
    date = planned();
    failWith(calls.acceptDate, new Refusal('CONFLICT', 'That time has passed. Suggest another one.'));
    const { person } = await openConversation();
    await person.click((await strip()).getByRole('button', { name: /^Bo suggests/ }));
    await press(person, 'Accept date');
    expect(await screen.findByText(/That time has passed\. Suggest another one\.$/)).toBeVisible();
  });

  it('is shared with a friend by a link that can be ended', async () => {
    date = planned({ state: 'accepted' });
    const { person } = await openConversation();
    await person.click((await strip()).getByRole('button', { name: /^Date with Bo/ }));
    await press(person, 'Safety');
    await press(person, 'Share with a friend');
    const field = await screen.findByLabelText('Your link for a friend');
    expect(field).toHaveValue('https://heartwood.test/app/date#a.b');
    await waitFor(() => expect(field).toHaveFocus());
    await press(person, 'Copy link');
    expect(await navigator.clipboard.readText()).toBe('https://heartwood.test/app/date#a.b');
    expect(await screen.findByText(/^Copied\./)).toBeVisible();
    await press(person, 'End link');
    await waitFor(() => expect(screen.getByRole('button', { name: 'Share with a friend' })).toHaveFocus());
    expect(screen.getByText('Your link has ended.')).toBeVisible();
    serve(calls.shareDate, () => change({ link: 'https://heartwood.test/app/date#c.d' }));
    await press(person, 'Share with a friend');
    await screen.findByLabelText('Your link for a friend');
    expect(screen.queryByText(/^Copied\./)).toBeNull();
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValueOnce(new Error('Not allowed'));
    await press(person, 'Copy link');
    expect(await screen.findByText("Couldn't copy. Select the link and copy it.")).toBeVisible();
  });

  it('is canceled after a confirmation', async () => {
    date = planned({ state: 'accepted' });
    const { person } = await openConversation();
    await person.click((await strip()).getByRole('button', { name: /^Date with Bo/ }));
    await press(person, 'Cancel date');
    expect(received(calls.cancelDate)).toEqual([]);
    await press(person, 'Keep it');
    const opener = (await strip()).getByRole('button', { name: /^Date with Bo/ });
    await waitFor(() => expect(opener).toHaveFocus());
    await person.click(opener);
    await press(person, 'Cancel date');
    await press(person, 'Cancel date');
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Your date with Bo' })).toBeNull());
    expect(received(calls.cancelDate)).toHaveLength(1);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(screen.getByRole('heading', { level: 1, name: 'Bo' })).toHaveFocus());
  });

  it('that is still shared remains when the match ends while its conversation is open', async () => {
    date = planned({ state: 'accepted', link: 'https://heartwood.test/app/date#a.b', name: 'Bo' });
    await openConversation();
    await receiveOverSocket({ kind: 'matchEnded', matchId: 'match-bo' });
    expect((await strip()).getByRole('button', { name: /^Date with Bo/ })).toBeVisible();
  });

  it('that is still shared can be canceled when the match has ended', async () => {
    date = planned({ state: 'accepted', link: 'https://heartwood.test/app/date#a.b', name: 'Bo' });
    serve(calls.cancelDate, () => {
      failWith(calls.getDate, new Refusal('NOT_FOUND', 'Not found'));
      return { data: {} };
    });
    const { person } = renderApp('/app/messages/match-gone', ownUser());
    await person.click((await strip()).getByRole('button', { name: /^Date with Bo/ }));
    await press(person, 'Cancel date');
    expect(await screen.findByText('Links that you shared with friends end.')).toBeVisible();
    await press(person, 'Cancel date');
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Your date with Bo' })).toBeNull());
    expect(received(calls.cancelDate)).toHaveLength(1);
  });

  it.each([
    ['Withdraw', ownId, 'Withdraw your suggestion?'],
    ['Decline', 'bo', 'Decline this suggestion?'],
  ])('only suggested so far is removed by “%s”', async (button, from, title) => {
    date = planned({ from });
    const { person } = await openConversation();
    await person.click((await strip()).getByRole('button', { name: /date/ }));
    await press(person, button);
    const dialog = within(await screen.findByRole('dialog', { name: title }));
    expect(dialog.getByText('Bo is notified.')).toBeVisible();
    await person.click(dialog.getByRole('button', { name: button }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(received(calls.cancelDate)).toHaveLength(1);
  });

  it('appears when the other person suggests it, and offers the check-in once it has started', async () => {
    await openConversation();
    date = planned();
    await receiveOverSocket({ kind: 'date', matchId: 'match-bo' });
    expect((await strip()).getByText('Bo suggests a date')).toBeVisible();
    date = planned({ state: 'accepted', checksIn: true, mayCheckIn: true });
    await receiveOverSocket({ kind: 'date', matchId: 'match-bo' });
    expect(await (await strip()).findByRole('link', { name: 'Check in' })).toHaveAttribute(
      'href',
      '/app/check-in/date-1',
    );
    date = null;
    await receiveOverSocket({ kind: 'matchEnded', matchId: 'match-bo' });
    expect(screen.queryByRole('region', { name: 'Your date with Bo' })).toBeNull();
  });
});
