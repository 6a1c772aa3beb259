import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { likeUser, passUser, withdrawLike } from '#contract/connections.ts';
import { createReport } from '#contract/moderation/reports.ts';
import { failWith, RawAnswer, received, Refusal, serve } from '../../../test/fake-server.ts';
import { receivedLike, sentLike, serveLikes } from '../../../test/fixtures/likes.ts';
import { ownReport } from '../../../test/fixtures/own-reports.ts';
import { ownUser } from '../../../test/fixtures/people.ts';
import { pictureId } from '../../../test/fixtures/pictures.ts';
import { formatDate } from '../../ui/text/format.ts';
import { currentAddress, renderApp } from '../../../test/render-app.tsx';

const rows = (name: string) => within(screen.getByRole('list', { name })).getAllByRole('listitem');
const names = (list: string) => rows(list).map((row) => within(row).getByRole('link').textContent);

describe('the likes page', () => {
  it('has two lists with separate addresses', async () => {
    serveLikes({ received: [receivedLike('Bo')], sent: [sentLike('Cy')] });
    const { person } = renderApp('/app/likes', ownUser({ isVIP: true }));
    await screen.findByRole('list', { name: 'Who likes you' });
    const tabs = within(screen.getByRole('navigation', { name: 'Likes' }));
    expect(tabs.getByRole('link', { current: 'page' })).toHaveTextContent('Received');
    await person.click(tabs.getByRole('link', { name: 'Sent' }));
    expect(await screen.findByRole('list', { name: 'Your likes' })).toBeVisible();
    expect(currentAddress()).toBe('/app/likes?tab=sent');
    expect(tabs.getByRole('link', { current: 'page' })).toHaveTextContent('Sent');
  });
});

describe('the note of a like', () => {
  it('can be reported in place and is attached to the report', async () => {
    const note = 'Smile for me';
    serveLikes({ received: [receivedLike('Bo', { note }), receivedLike('Cy')] });
    serve(createReport, () => ({ data: { report: ownReport() } }));
    const { person } = renderApp('/app/likes', ownUser({ isVIP: true }));
    await person.click(await screen.findByRole('link', { name: 'Report this note' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Report a note from Bo' })).toBeVisible();
    expect(screen.getByLabelText('The note you are reporting')).toHaveTextContent(note);
    await person.click(screen.getByRole('radio', { name: 'Insults, threats or harassment' }));
    await person.click(screen.getByRole('button', { name: 'Send report' }));
    await waitFor(() => expect(received(createReport)).toHaveLength(1));
    const { _id } = receivedLike('Bo').user;
    expect(received(createReport)[0]?.body).toMatchObject({
      reportedUser: _id,
      evidence: [{ type: 'note', id: _id }],
    });
  });
});

describe('the likes received without premium', () => {
  it('show a number and blurred patterns, with links to premium and Discover', async () => {
    serveLikes({ hidden: 3 });
    renderApp('/app/likes', ownUser());
    expect(await screen.findByText('3 people like you.')).toBeVisible();
    expect(screen.queryByText(/for your answer/)).toBeNull();
    const main = screen.getByRole('main');
    const patterns = [...main.querySelectorAll('svg[data-hue]')];
    expect(patterns).toHaveLength(3);
    expect(new Set(patterns.map((pattern) => pattern.innerHTML)).size).toBe(3);
    expect(patterns.every((pattern) => pattern.getAttribute('aria-hidden') === 'true')).toBe(true);
    expect(main.querySelector('img')).toBeNull();
    expect(screen.getByRole('link', { name: 'See who likes you' })).toHaveAttribute('href', '/app/premium');
    expect(screen.getByRole('link', { name: 'Discover people' })).toHaveAttribute('href', '/app/discover');
  });

  it.each([
    [1, 'One person likes you.'],
    [999, '999 people like you.'],
    [1000, 'More than 999 people like you.'],
  ])('show the count of %s', async (hidden, words) => {
    serveLikes({ hidden });
    renderApp('/app/likes', ownUser());
    expect(await screen.findByText(words)).toBeVisible();
  });

  it.each([
    [6, 6, null],
    [7, 5, 'and 2 more'],
    [1000, 5, 'and many more'],
  ])('for %s likes show %s patterns and the number of others', async (hidden, drawn, more) => {
    serveLikes({ hidden });
    renderApp('/app/likes', ownUser());
    await screen.findByText(/like you\.$/);
    expect(screen.getByRole('main').querySelectorAll('svg[data-hue]')).toHaveLength(drawn);
    expect(screen.queryByText(/^and .* more$/)?.textContent ?? null).toBe(more);
  });
});

describe('the likes received with premium', () => {
  const vip = ownUser({ isVIP: true });

  it('show the person, the note and what it refers to', async () => {
    serveLikes({
      received: [
        receivedLike('Bo', { note: 'Where is {that}?', on: { kind: 'picture', publicId: pictureId('one') } }),
        receivedLike('Cy', { on: { kind: 'prompt', prompt: 'ask-me' } }),
        receivedLike('Di'),
      ],
    });
    renderApp('/app/likes', vip);
    expect(await screen.findByText('3 people like you and are waiting for your answer.')).toBeVisible();
    const [bo, cy, di] = rows('Who likes you');
    expect(within(bo ?? document.body).getByRole('link', { name: 'Bo, 34' })).toHaveAttribute(
      'href',
      '/app/members/bo?from=likes',
    );
    expect(bo).toHaveTextContent(/Liked you on Oct 18, 2025/);
    expect(bo).toHaveTextContent(/Liked one of your pictures.*Bo wrote:Where is \{that\}\?/);
    expect(cy).toHaveTextContent(/Liked your answer to “Ask me about …”/);
    expect(di).not.toHaveTextContent(/wrote|answer|picture/);
  });

  it('show how many days ago they were sent, with the date', async () => {
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
    const likes = [0, 1, 2, 7].map((days) => receivedLike(`Bo ${days}`, { likedAt: daysAgo(days) }));
    serveLikes({ received: likes });
    renderApp('/app/likes', vip);
    await screen.findByRole('list', { name: 'Who likes you' });
    const times = rows('Who likes you').map((row) => row.querySelector('time')?.textContent);
    const dates = likes.map(({ likedAt }) => formatDate(likedAt));
    expect(times).toEqual([
      `Liked you today (${dates[0]})`,
      `Liked you yesterday (${dates[1]})`,
      `Liked you 2 days ago (${dates[2]})`,
      `Liked you on ${dates[3]}`,
    ]);
  });

  it('create a match when liked back, end silently when passed, and disappear at once', async () => {
    serveLikes({ received: [receivedLike('Bo'), receivedLike('Cy')] });
    const { person } = renderApp('/app/likes', vip);
    await person.click(await screen.findByRole('button', { name: 'Pass on Bo' }));
    expect(names('Who likes you')).toEqual(['Cy, 34']);
    await person.click(screen.getByRole('button', { name: 'Like back Cy' }));
    expect(screen.getByText('No new likes right now.')).toBeVisible();
    expect(await screen.findByRole('dialog', { name: 'You and Cy like each other' })).toBeVisible();
    expect(received(passUser).map(({ params }) => params.userId)).toEqual(['bo']);
    expect(received(likeUser).map(({ params }) => params.userId)).toEqual(['cy']);
  });

  it('ignore the second press of a double click', async () => {
    serveLikes({ received: [receivedLike('Bo'), receivedLike('Cy')] });
    const { person } = renderApp('/app/likes', vip);
    const pass = await screen.findByRole('button', { name: 'Pass on Bo' });
    await person.click(pass);
    fireEvent.click(screen.getByRole('button', { name: 'Pass on Cy' }), { detail: 2 });
    expect(names('Who likes you')).toEqual(['Cy, 34']);
    await waitFor(() => expect(received(passUser).map(({ params }) => params.userId)).toEqual(['bo']));
  });

  it("reappear when an answer can't be saved", async () => {
    serveLikes({ received: [receivedLike('Bo')] });
    failWith(likeUser, new RawAnswer(500, ''));
    const { person } = renderApp('/app/likes', vip);
    await person.click(await screen.findByRole('button', { name: 'Like back Bo' }));
    expect(await screen.findByRole('alert')).toHaveTextContent("Couldn't save your decision. Please try again.");
    expect(names('Who likes you')).toEqual(['Bo, 34']);
  });

  it('load more pages', async () => {
    serveLikes({ received: Array.from({ length: 25 }, (_, at) => receivedLike(`P${at}`)) });
    const { person } = renderApp('/app/likes', vip);
    await person.click(await screen.findByRole('button', { name: 'Show more' }));
    await waitFor(() => expect(rows('Who likes you')).toHaveLength(25));
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
  });

  it('include no one twice when a like arrives while more are loaded', async () => {
    const known = serveLikes({ received: Array.from({ length: 25 }, (_, at) => receivedLike(`P${at}`)) });
    const { person } = renderApp('/app/likes', vip);
    const more = await screen.findByRole('button', { name: 'Show more' });
    known.received.unshift(receivedLike('New'));
    await person.click(more);
    await waitFor(() => expect(rows('Who likes you')).toHaveLength(25));
    expect(new Set(names('Who likes you')).size).toBe(25);
  });
});

describe('the likes sent', () => {
  it('show the person, the date and the note', async () => {
    serveLikes({ sent: [sentLike('Bo', { note: 'Hello!' }), sentLike('Cy')] });
    renderApp('/app/likes?tab=sent', ownUser());
    await screen.findByRole('list', { name: 'Your likes' });
    expect(names('Your likes')).toEqual(['Bo, 34', 'Cy, 34']);
    expect(rows('Your likes')[0]).toHaveTextContent(/Liked on Oct 18, 2025.*You wrote:Hello!/);
  });

  it('can be withdrawn at once, with a message', async () => {
    serveLikes({ sent: [sentLike('Bo'), sentLike('Cy')] });
    const { person } = renderApp('/app/likes?tab=sent', ownUser());
    await person.click(await screen.findByRole('button', { name: 'Withdraw your like for Bo' }));
    expect(names('Your likes')).toEqual(['Cy, 34']);
    expect(await screen.findByText('You no longer like Bo.')).toHaveAttribute('role', 'status');
    expect(received(withdrawLike).map(({ params }) => params.userId)).toEqual(['bo']);
  });

  it('cannot be withdrawn after a match, which is linked', async () => {
    serveLikes({ sent: [sentLike('Bo')] });
    failWith(withdrawLike, new Refusal('CONFLICT', 'This is already a match'));
    const { person } = renderApp('/app/likes?tab=sent', ownUser());
    await person.click(await screen.findByRole('button', { name: 'Withdraw your like for Bo' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('This is already a match');
    expect(screen.getByRole('link', { name: 'See your matches' })).toHaveAttribute('href', '/app/matches');
    expect(names('Your likes')).toEqual(['Bo, 34']);
  });
});
