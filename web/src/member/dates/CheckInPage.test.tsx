import { screen } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { answerCheckIn, type CheckIn, getCheckIn } from '#contract/dates.ts';
import { listHelpLines } from '#contract/moderation/help-lines.ts';
import { listNotifications, readNotifications } from '#contract/notifications.ts';
import { CutOff, failWith, received, Refusal, serve } from '../../../test/fake-server.ts';
import { message, serveConversations } from '../../../test/fixtures/conversations.ts';
import { ownUser } from '../../../test/fixtures/people.ts';
import { currentAddress, renderApp } from '../../../test/render-app.tsx';

const line = { _id: 'line-1', country: 'XX', name: 'A help line', phone: '116 006', url: null, note: 'At any hour.' };
const answers = () => received(answerCheckIn).map(({ params, body }) => [params.id, body.answer]);

beforeEach(() => {
  serveConversations({ Bo: [message(1)] });
  serve(listNotifications, () => ({ data: { notifications: [], unread: 0, nextCursor: null } }));
  serve(readNotifications, () => ({ data: { unread: 0 } }));
  serve(listHelpLines, () => ({ data: { lines: [{ ...line, isEmergency: false }] } }));
});

async function openCheckIn(state: CheckIn['state'] = 'waits') {
  const at = '2025-10-20T18:00:00.000Z';
  serve(getCheckIn, () => ({
    data: { checkIn: { place: 'Café Luz', at, zone: 'UTC', matchId: 'match-bo', name: 'Bo', state } },
  }));
  return renderApp('/app/check-in/date-1', ownUser());
}

describe('the check-in', () => {
  it('shows place and time, and “All good” may be followed by the question whether they met', async () => {
    serve(answerCheckIn, () => ({ data: { asksMeeting: true, reportId: null } }));
    const { person } = await openCheckIn();
    expect(await screen.findByText(/Café Luz/)).toBeVisible();
    await person.click(screen.getByRole('button', { name: 'All good' }));
    expect(await screen.findByText("Good to hear. We've deleted this check-in.")).toBeVisible();
    expect(screen.getByText('Did you and Bo meet?')).toBeVisible();
    expect(answers()).toEqual([['date-1', 'good']]);
  });

  it('shows help lines at once after “I need help”, and that our team was notified', async () => {
    serve(answerCheckIn, () => ({ data: { asksMeeting: false, reportId: 'report-1' } }));
    const { person } = await openCheckIn();
    await person.click(await screen.findByRole('button', { name: 'I need help' }));
    expect(await screen.findByText('A help line')).toBeVisible();
    expect(await screen.findByText(/^Our team has your call for help/)).toBeVisible();
    expect(screen.getByText('In danger? Call your local emergency number first.')).toBeVisible();
    expect(answers()).toEqual([['date-1', 'help']]);
  });

  it('shows help lines without a connection, and retries', async () => {
    let isCut = true;
    serve(answerCheckIn, () => {
      if (isCut) throw new CutOff('No network');
      return { data: { asksMeeting: false, reportId: 'report-1' } };
    });
    const { person } = await openCheckIn();
    await person.click(await screen.findByRole('button', { name: 'I need help' }));
    expect(await screen.findByText(/^We couldn't alert our team/)).toBeVisible();
    expect(screen.getByText('A help line')).toBeVisible();
    isCut = false;
    await person.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText(/^Our team has your call for help/)).toBeVisible();
  });

  it('shows a call for help again after a reload', async () => {
    await openCheckIn('helped');
    expect(await screen.findByText(/^Our team has your call for help/)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'All good' })).toBeNull();
  });

  it('continues to the conversation if there is nothing to ask', async () => {
    await openCheckIn('none');
    expect(await screen.findByRole('textbox', { name: 'Write to Bo' })).toBeVisible();
    expect(currentAddress()).toBe('/app/messages/match-bo');
  });

  it('shows that a date is no longer planned', async () => {
    failWith(getCheckIn, new Refusal('NOT_FOUND', 'Not found'));
    renderApp('/app/check-in/date-1', ownUser());
    expect(await screen.findByText('This date is no longer planned.')).toBeVisible();
  });
});
